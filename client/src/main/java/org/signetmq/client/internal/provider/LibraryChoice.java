/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.InflaterInputStream;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQObjectMessage;
import org.apache.activemq.util.ByteSequence;
import org.apache.qpid.jms.JmsSession;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.message.JmsObjectMessage;
import org.apache.qpid.jms.message.JmsStreamMessage;
import org.apache.qpid.jms.message.facade.JmsMessageFacade;
import org.apache.qpid.jms.message.facade.JmsStreamMessageFacade;
import org.apache.qpid.jms.policy.JmsDeserializationPolicy;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.jms.provider.amqp.message.AmqpSerializedObjectDelegate;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;

/**
 * Chooses the client library of one connection by the class of the connection or context. A pool hides that class. The
 * choice then uses the class of the first message. It compares names only, because the classes of a library may be
 * absent. Thread-safe.
 */
public final class LibraryChoice {
    private static final ClientLibrary PLAIN = new Plain();

    private volatile @Nullable ClientLibrary chosen;

    /**
     * Chooses by the class of the provider's object.
     *
     * @param provider a connection or a context
     */
    public LibraryChoice(Object provider) {
        chosen = find(provider);
    }

    /** Returns the library that made this message or factory. */
    public static ClientLibrary of(Object made) {
        return Objects.requireNonNullElse(find(made), PLAIN);
    }

    /** Returns the library; a library that follows the API while a pool hides it. */
    public ClientLibrary library() {
        return Objects.requireNonNullElse(chosen, PLAIN);
    }

    /** Returns a message with the library that delivered it. */
    public ArrivedMessage arrived(Message message) {
        ClientLibrary known = chosen;
        if (known == null) {
            known = of(message);
            chosen = known;
        }
        return new ArrivedMessage(message, known);
    }

    private static @Nullable ClientLibrary find(Object provided) {
        for (Class<?> type = provided.getClass(); type != null; type = type.getSuperclass()) {
            String name = type.getName();
            if (name.startsWith("org.apache.activemq.artemis.jms.client.")) {
                return new ArtemisLibrary();
            } else if (name.startsWith("org.apache.activemq.ActiveMQ")
                    || name.startsWith("org.apache.activemq.command.")) {
                return new ActiveMqLibrary();
            } else if (name.startsWith("org.apache.qpid.jms.")) {
                return new QpidLibrary();
            }
        }
        return null;
    }

    /** Any other client library. It follows the API. */
    private static final class Plain implements ClientLibrary {
        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.AMQP;
        }

        @Override
        public ObjectSource putObject(byte[] serialized, ObjectMessage message) {
            return new FilteredObject(serialized);
        }
    }

    /** The ActiveMQ client. This class needs the classes of the client. */
    private static final class ActiveMqLibrary implements ClientLibrary {
        /** The annotation of an AMQP message, as the broker converts it to a property. */
        private static final String ORIGINAL_ADDRESS = "JMS_AMQP_MA_x-opt-ORIG-ADDRESS";

        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.OPENWIRE;
        }

        /** Passes a user name, because version 5.19 creates contexts of any mode only with one. */
        @Override
        public JMSContext createContext(ConnectionFactory factory, int mode) {
            ActiveMQConnectionFactory activeMq = (ActiveMQConnectionFactory) factory;
            return activeMq.createContext(activeMq.getUserName(), activeMq.getPassword(), mode);
        }

        /** Forgets the unacknowledged messages of a consumer before it waits for the consumer's listener. */
        @Override
        public boolean closingDropsAcknowledgements() {
            return true;
        }

        @Override
        public @Nullable Object originalAddress(Message arrived) throws JMSException {
            Object annotated = arrived.getObjectProperty(ORIGINAL_ADDRESS);
            ActiveMQDestination original = ((ActiveMQMessage) arrived).getOriginalDestination();
            return annotated != null || original == null ? annotated : original.getPhysicalName();
        }

        /** Makes a copy whose send waits for the broker's answer, also in a transaction. */
        @Override
        public Message copy(Message arrived, @Nullable InputStream large, Session session) throws JMSException {
            ActiveMQMessage copy = (ActiveMQMessage) ((ActiveMQMessage) arrived).copy();
            try {
                for (String name : List.copyOf(copy.getProperties().keySet())) {
                    if (ClientLibrary.isLeftOut(name)) {
                        copy.removeProperty(name);
                    }
                }
            } catch (IOException e) {
                throw Wrapper.caused(new JMSException("message: its properties cannot be read"), e);
            }
            copy.setReadOnlyProperties(false);
            copy.setOriginalDestination(null);
            copy.setRedeliveryCounter(0);
            copy.setResponseRequired(true);
            return copy;
        }

        /** Also sets the limits of the connection, which the client itself sets only on messages that it receives. */
        @Override
        public @Nullable ObjectSource putObject(byte[] serialized, ObjectMessage message) {
            ActiveMQObjectMessage activeMq = (ActiveMQObjectMessage) message;
            ActiveMQConnection connection = activeMq.getConnection();
            activeMq.setTrustAllPackages(connection.isTrustAllPackages());
            activeMq.setTrustedPackages(connection.getTrustedPackages());
            activeMq.setContent(new ByteSequence(serialized));
            return null;
        }

        @Override
        public Message readable(Message sent) {
            return (Message) ((ActiveMQMessage) sent).copy();
        }

        @Override
        public byte @Nullable [] serialized(ObjectMessage sent) throws JMSException {
            ActiveMQObjectMessage activeMq = (ActiveMQObjectMessage) sent;
            activeMq.storeContent();
            ByteSequence content = activeMq.getContent();
            if (content == null) {
                return null;
            }
            InputStream bytes = new ByteArrayInputStream(content.getData(), content.getOffset(), content.getLength());
            try (InputStream in = activeMq.isCompressed() ? new InflaterInputStream(bytes) : bytes) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new MessageFormatException("object: cannot be decompressed");
            }
        }
    }

    /** Qpid JMS. This class needs the classes of the client. */
    private static final class QpidLibrary implements ClientLibrary {
        private static final String ORIGINAL_ADDRESS = "x-opt-ORIG-ADDRESS";
        private static final String DELAY = "x-opt-delivery-delay";

        /** The property of an object message of AMQP types. */
        private static final String TYPED_ENCODING = "JMS_AMQP_TYPED_ENCODING";

        /** The property of a message that sets the outcome of its delivery. */
        private static final String OUTCOME = "JMS_AMQP_ACK_TYPE";

        /** The outcome modified with delivery-failed (AMQP 1.0 section 3.4.5). */
        private static final int DELIVERY_FAILED = 4;

        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.AMQP;
        }

        /** Settles the delivery as failed. A recovery stays within the client, where the broker counts no delivery. */
        @Override
        public void giveBack(Message arrived, Session session) throws JMSException {
            arrived.setIntProperty(OUTCOME, DELIVERY_FAILED);
            arrived.acknowledge();
        }

        /** Reads the message annotation by the only public method for it, which the library has for tracers. */
        @Override
        public @Nullable Object originalAddress(Message arrived) {
            return ((JmsMessage) arrived).getFacade().getTracingAnnotation(ORIGINAL_ADDRESS);
        }

        @Override
        public Message copy(Message arrived, @Nullable InputStream large, Session session) throws JMSException {
            JmsMessage copy = ((JmsMessage) arrived).copy();
            JmsMessageFacade facade = copy.getFacade();
            Map<String, Object> kept = new HashMap<>();
            for (String name : facade.getPropertyNames()) {
                if (!ClientLibrary.isLeftOut(name)) {
                    kept.put(name, facade.getProperty(name));
                }
            }
            facade.clearProperties();
            for (Map.Entry<String, Object> property : kept.entrySet()) {
                facade.setProperty(property.getKey(), property.getValue());
            }
            facade.removeTracingAnnotation(DELAY);
            copy.setReadOnlyProperties(false);
            return copy;
        }

        @Override
        public boolean confirmsSends(Session session) {
            return !(ProviderSession.provider(session) instanceof JmsSession qpid)
                    || !qpid.getConnection().isForceAsyncSend();
        }

        @Override
        public ObjectSource putObject(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
            return SerializedObjects.put(serialized, message);
        }

        @Override
        public boolean takesTypedItems() {
            return true;
        }

        @Override
        public String amqpType(Message sent) {
            return String.valueOf(((AmqpJmsMessageFacade) ((JmsMessage) sent).getFacade()).getJmsMsgType());
        }

        @Override
        public @Nullable Object typedObject(ObjectMessage sent) throws JMSException {
            return sent.propertyExists(TYPED_ENCODING) && sent.getBooleanProperty(TYPED_ENCODING)
                    ? sent.getObject()
                    : null;
        }

        @Override
        public byte[] serialized(ObjectMessage sent) {
            return SerializedObjects.serialized(sent);
        }

        @Override
        public void appendItem(@Nullable Object item, StreamMessage message) {
            ((JmsStreamMessageFacade) ((JmsStreamMessage) message).getFacade()).put(item);
        }

        /**
         * Reads objects with Qpid JMS. The library trusts the content of a new message as the application's own. So its
         * reader of received objects reads the object, under the policy of the connection. It needs a setter that is
         * not public.
         */
        private record SerializedObjects(AmqpSerializedObjectDelegate reader) implements ObjectSource {
            /** The serialised null, which the library sends for a message without an object. */
            private static final byte[] NO_OBJECT = {(byte) 0xac, (byte) 0xed, 0, 5, 0x70};

            /** Returns the body of a message by a getter that is not public. */
            static byte[] serialized(ObjectMessage sent) {
                try {
                    Method getBody = AmqpJmsMessageFacade.class.getDeclaredMethod("getBody");
                    getBody.setAccessible(true);
                    Object body = getBody.invoke(((JmsMessage) sent).getFacade());
                    if (!(body instanceof Data data)) {
                        return NO_OBJECT.clone();
                    }
                    int offset = data.getValue().getArrayOffset();
                    return Arrays.copyOfRange(
                            data.getValue().getArray(),
                            offset,
                            offset + data.getValue().getLength());
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("object: this version of Qpid JMS does not show its bytes", e);
                }
            }

            static SerializedObjects put(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
                JmsObjectMessage qpid = (JmsObjectMessage) message;
                JmsDeserializationPolicy policy = qpid.getConnection().getDeserializationPolicy();
                if (policy == null) {
                    throw new IllegalStateException("connection: no deserialization policy");
                }
                AmqpJmsMessageFacade facade = (AmqpJmsMessageFacade) qpid.getFacade();
                Method setBody = AmqpJmsMessageFacade.class.getDeclaredMethod("setBody", Section.class);
                setBody.setAccessible(true);
                setBody.invoke(facade, new Data(new Binary(serialized)));
                return new SerializedObjects(new AmqpSerializedObjectDelegate(facade, policy));
            }

            @Override
            public @Nullable Serializable object() throws JMSException {
                try {
                    return reader.getObject();
                } catch (IOException
                        | ClassNotFoundException e) { // Qpid JMS reports it to the application in the same way
                    MessageFormatException rejected =
                            new MessageFormatException("Failed to read object: " + e.getMessage());
                    rejected.setLinkedException(e);
                    throw Wrapper.caused(rejected, e);
                }
            }

            @Override
            public void complete(ObjectMessage content) {
                // the content already holds the bytes
            }
        }
    }
}
