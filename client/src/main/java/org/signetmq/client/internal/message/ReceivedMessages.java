/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.Body;
import org.signetmq.client.internal.message.ReceivedMessage.Envelope;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.ClientLibrary.MessageMaker;
import org.signetmq.client.internal.provider.ClientLibrary.ObjectSource;
import org.signetmq.client.internal.provider.FilteredObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes received messages from decoded bodies. */
public final class ReceivedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivedMessages.class);

    /** The types of messages with a body. */
    private static final List<Class<? extends Message>> TYPES =
            List.of(TextMessage.class, BytesMessage.class, MapMessage.class, StreamMessage.class, ObjectMessage.class);

    private ReceivedMessages() {}

    /**
     * A text message. Applications mostly read the text only, so it goes into the provider's message only for other
     * calls.
     */
    static final class Text extends ReceivedMessage {
        private final MessageMaker<TextMessage> maker;
        private final @Nullable String text;

        /** The provider's message with the text; null until the application needs it. */
        private @Nullable TextMessage content;

        Text(Envelope envelope, MessageMaker<TextMessage> maker, @Nullable String text) {
            super(envelope, TextMessage.class, null);
            this.maker = maker;
            this.text = text;
        }

        @Override
        TextMessage content() throws JMSException {
            if (content == null) {
                TextMessage made = maker.make();
                made.setText(text);
                content = made;
            }
            return content;
        }

        @Own
        @Nullable
        String getText() throws JMSException {
            return content == null ? text : content.getText();
        }

        @Own
        void setText(String replaced) throws JMSException {
            checkBodyWritable();
            content().setText(replaced);
        }

        @Override
        public <T> @Nullable T getBody(Class<T> type) throws JMSException {
            return content == null && text != null && type == String.class ? type.cast(text) : super.getBody(type);
        }
    }

    /** An object message whose object the provider's message cannot read, until the body is cleared. */
    static final class Sourced extends ReceivedMessage {
        private final ObjectMessage content;
        private @Nullable ObjectSource source;

        /**
         * Makes an object message.
         *
         * @param source the source of the object; null if the provider's message holds it
         */
        Sourced(Envelope envelope, ObjectMessage content, @Nullable ObjectSource source) {
            super(envelope, ObjectMessage.class, content);
            this.content = content;
            this.source = source;
        }

        @Own
        @Nullable
        Serializable getObject() throws JMSException {
            return source == null ? content.getObject() : source.object();
        }

        @Own
        void setObject(Serializable object) throws JMSException {
            checkBodyWritable();
            content.setObject(object);
            source = null;
        }

        @Override
        void clearBody() throws JMSException {
            super.clearBody();
            source = null;
        }

        @Override
        void completeContent() throws JMSException {
            if (source != null) {
                source.complete(content);
            }
        }

        @Override
        public <T> @Nullable T getBody(Class<T> type) throws JMSException {
            if (source == null) {
                return super.getBody(type);
            }
            Serializable object = source.object();
            if (object != null && !type.isInstance(object)) {
                throw new MessageFormatException("body: not a " + type.getName());
            }
            return type.cast(object);
        }

        @Override
        boolean isBodyAssignableTo(Class<?> type) throws JMSException {
            if (source == null) {
                return super.isBodyAssignableTo(type);
            }
            try {
                Serializable object = source.object();
                return object == null || type.isInstance(object);
                // Qpid JMS has the same answer, and the source has its reader or types
            } catch (MessageFormatException unreadable) {
                return true;
            }
        }
    }

    /**
     * An AMQP value in an object message.
     *
     * @param value the value in types of proton-j, such as {@code UnsignedInteger} and {@code Binary}
     * @param protocol the protocol of the consumer that received it
     */
    private record TypedObject(Object value, ClientProtocol protocol) implements ObjectSource {
        @Override
        public Serializable object() throws JMSException {
            if (value instanceof Serializable serializable) {
                return serializable;
            }
            throw new MessageFormatException("object: " + value.getClass().getName() + " is not serializable");
        }

        @Override
        public void complete(ObjectMessage content) throws JMSException {
            if (protocol == ClientProtocol.AMQP) {
                content.setBooleanProperty(RestoredProperties.TYPED_ENCODING, true); // as in the message that arrived
            }
            content.setObject(object());
        }
    }

    /** Makes a message with this body. */
    public static ReceivedMessage of(Body body, Envelope envelope, Session session) throws JMSException {
        if (body instanceof Body.Text text) {
            return new Text(
                    envelope, envelope.library().maker(TextMessage.class, envelope.message(), session), text.text());
        } else if (body instanceof Body.Bytes bytes) {
            return bytes(bytes.bytes(), envelope, session);
        } else if (body instanceof Body.Named named) {
            return map(named.values(), envelope, session.createMapMessage());
        } else if (body instanceof Body.Items items) {
            return stream(items, envelope, session);
        } else if (body instanceof Body.Serialized object) {
            return serialized(object.bytes(), envelope, session.createObjectMessage());
        } else if (body instanceof Body.Typed typed) {
            return object(typed.value(), envelope, session);
        } else {
            return new ReceivedMessage(envelope, Message.class, session.createMessage());
        }
    }

    /** Makes a message without protection. */
    public static ReceivedMessage ofUnprotected(Envelope envelope) {
        Message arrived = envelope.message();
        Class<? extends Message> type = Message.class;
        for (Class<? extends Message> each : TYPES) {
            type = each.isInstance(arrived) ? each : type;
        }
        return new ReceivedMessage(envelope, type, arrived);
    }

    /** Makes an object message. The provider deserialises the object under its own limits if it can. */
    private static ReceivedMessage serialized(byte @Nullable [] bytes, Envelope envelope, ObjectMessage content)
            throws JMSException {
        ObjectSource source = null;
        if (bytes != null) {
            try {
                source = envelope.library().putObject(bytes, content);
            } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
                LOG.debug("object message of {} not filled: {}", content.getClass(), e.getClass());
                source = new FilteredObject(bytes);
            }
        }
        return new Sourced(envelope, content, source);
    }

    private static ReceivedMessage object(Object value, Envelope envelope, Session session) throws JMSException {
        return new Sourced(
                envelope,
                session.createObjectMessage(),
                new TypedObject(value, envelope.library().protocol()));
    }

    private static ReceivedMessage bytes(byte[] bytes, Envelope envelope, Session session) throws JMSException {
        if (bytes.length > 0) {
            return new ReceivedBytesMessage(
                    envelope, envelope.library().maker(BytesMessage.class, envelope.message(), session), bytes);
        }
        BytesMessage content = session.createBytesMessage();
        content.writeBytes(bytes); // providers differ in their answer to no bytes
        content.reset();
        return new ReceivedBytesMessage(envelope, content);
    }

    /** Makes a map message. Values that the provider's map rejects stay beside it. */
    private static ReceivedMessage map(Map<String, @Nullable Object> values, Envelope envelope, MapMessage content)
            throws JMSException {
        Map<String, Object> beside = new LinkedHashMap<>();
        for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
            Object value = entry.getValue();
            if (value != null && (entry.getKey().isEmpty() || !Body.isPrimitive(value))) {
                beside.put(entry.getKey(), value);
            } else {
                content.setObject(entry.getKey(), value);
            }
        }
        return new ReceivedMapMessage(envelope, content, beside);
    }

    /**
     * Makes a stream message; an object message if the provider's stream rejects the type of an item. The stream is
     * reset, so the provider rejects writing until the body is cleared.
     */
    private static ReceivedMessage stream(Body.Items body, Envelope envelope, Session session) throws JMSException {
        List<@Nullable Object> items = body.items();
        boolean primitive = items.stream().allMatch(Body::isPrimitive);
        if (!primitive && !envelope.library().takesTypedItems()) {
            return object(new ArrayList<>(items), envelope, session);
        }
        StreamMessage content = session.createStreamMessage();
        byte[] encoded = body.encoded();
        if (encoded == null || !envelope.library().putEncoded(encoded, content)) {
            for (Object item : items) {
                if (primitive) {
                    content.writeObject(item);
                } else {
                    envelope.library().appendItem(item, content);
                }
            }
            content.reset();
        }
        return new ReceivedMessage(envelope, StreamMessage.class, content);
    }

    /** A received map message. */
    static final class ReceivedMapMessage extends ReceivedMessage {
        private final MapMessage content;
        private final Map<String, Object> beside;

        /**
         * Makes a map message.
         *
         * @param beside values that the content cannot hold
         */
        ReceivedMapMessage(Envelope envelope, MapMessage content, Map<String, Object> beside) {
            super(envelope, MapMessage.class, content);
            this.content = content;
            this.beside = new LinkedHashMap<>(beside);
        }

        @Override
        void completeContent() throws JMSException {
            if (!beside.isEmpty()) {
                throw new MessageFormatException("body: has values that a map message to be sent cannot hold");
            }
        }

        /** Writes only into a cleared body, and reads only what the content can hold. */
        @Override
        protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
            if (method.getDeclaringClass() == MapMessage.class) {
                Object value = beside.get(arguments[0]);
                if (method.getName().startsWith("set")) {
                    checkBodyWritable();
                } else if (value != null) {
                    throw new MessageFormatException("value: must be read as an object of "
                            + value.getClass().getName());
                }
            }
            return super.other(method, arguments);
        }

        @Override
        void clearBody() throws JMSException {
            super.clearBody();
            beside.clear();
        }

        @Override
        @SuppressWarnings("unchecked") // the requested type is a supertype of Map
        public <T> @Nullable T getBody(Class<T> type) throws JMSException {
            if (beside.isEmpty()) {
                return super.getBody(type);
            }
            if (!type.isAssignableFrom(Map.class)) {
                throw new MessageFormatException("body: a map, not " + type.getName());
            }
            Map<String, Object> all = new LinkedHashMap<>(beside);
            if (content.getMapNames().hasMoreElements()) {
                all.putAll((Map<String, Object>) content.getBody(Map.class));
            }
            return (T) all;
        }

        @Override
        boolean isBodyAssignableTo(Class<?> type) throws JMSException {
            return beside.isEmpty() ? super.isBodyAssignableTo(type) : type.isAssignableFrom(Map.class);
        }

        @Own
        String getString(String name) throws JMSException {
            Object value = beside.get(name);
            return value == null ? content.getString(name) : value.toString();
        }

        @Own
        Object getObject(String name) throws JMSException {
            Object value = beside.get(name);
            return value == null ? content.getObject(name) : value;
        }

        @Own
        Enumeration<?> getMapNames() throws JMSException {
            List<Object> names = new ArrayList<>(beside.keySet());
            names.addAll(Collections.list((Enumeration<?>) content.getMapNames()));
            return Collections.enumeration(names);
        }

        @Own
        boolean itemExists(String name) throws JMSException {
            return beside.containsKey(name) || content.itemExists(name);
        }
    }
}
