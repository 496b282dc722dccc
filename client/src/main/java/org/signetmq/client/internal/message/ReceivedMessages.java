/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.Body;
import org.signetmq.client.internal.provider.ObjectSource;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.plain.FilteredObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes received messages from decoded bodies. */
public final class ReceivedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivedMessages.class);

    private ReceivedMessages() {}

    /** Makes a message with this body. */
    public static ReceivedMessage of(Body body, ReceivedEnvelope envelope, ProviderSession session)
            throws JMSException {
        if (body instanceof Body.Text text) {
            return new ReceivedTextMessage(
                    envelope, envelope.library().textMaker(envelope.message(), session), text.text());
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
            return new ReceivedMessage(envelope, session.createMessage());
        }
    }

    /** Makes a message without protection. */
    public static ReceivedMessage ofUnprotected(ReceivedEnvelope envelope) {
        if (envelope.message() instanceof TextMessage text) {
            return new ReceivedTextMessage(envelope, text);
        } else if (envelope.message() instanceof BytesMessage bytes) {
            return new ReceivedBytesMessage(envelope, bytes);
        } else if (envelope.message() instanceof MapMessage map) {
            return new ReceivedMapMessage(envelope, map);
        } else if (envelope.message() instanceof StreamMessage stream) {
            return new ReceivedStreamMessage(envelope, stream);
        } else if (envelope.message() instanceof ObjectMessage object) {
            return new ReceivedObjectMessage(envelope, object, null);
        } else {
            return new ReceivedMessage(envelope, envelope.message());
        }
    }

    /** Makes an object message. The provider deserialises the object under its own limits if it can. */
    private static ReceivedMessage serialized(byte @Nullable [] bytes, ReceivedEnvelope envelope, ObjectMessage content)
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
        return new ReceivedObjectMessage(envelope, content, source);
    }

    private static ReceivedMessage object(Object value, ReceivedEnvelope envelope, ProviderSession session)
            throws JMSException {
        return new ReceivedObjectMessage(
                envelope,
                session.createObjectMessage(),
                new TypedObject(value, envelope.library().protocol()));
    }

    private static ReceivedMessage bytes(byte[] bytes, ReceivedEnvelope envelope, ProviderSession session)
            throws JMSException {
        if (bytes.length > 0) {
            return new ReceivedBytesMessage(
                    envelope, envelope.library().bytesMaker(envelope.message(), session), bytes);
        }
        BytesMessage content = session.createBytesMessage();
        content.writeBytes(bytes); // providers differ in their answer to no bytes
        content.reset();
        return new ReceivedBytesMessage(envelope, content);
    }

    /** Makes a map message. Values that the provider's map rejects stay beside it. */
    private static ReceivedMessage map(
            Map<String, @Nullable Object> values, ReceivedEnvelope envelope, MapMessage content) throws JMSException {
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

    /** Makes a stream message; an object message if the provider's stream rejects the type of an item. */
    private static ReceivedMessage stream(Body.Items body, ReceivedEnvelope envelope, ProviderSession session)
            throws JMSException {
        List<@Nullable Object> items = body.items();
        boolean primitive = items.stream().allMatch(Body::isPrimitive);
        if (!primitive && !envelope.library().takesTypedItems()) {
            return object(new ArrayList<>(items), envelope, session);
        }
        StreamMessage content = session.createStreamMessage();
        byte[] encoded = body.encoded();
        if (encoded != null && envelope.library().putEncoded(encoded, content)) {
            return new ReceivedStreamMessage(envelope, content);
        }
        for (Object item : items) {
            if (primitive) {
                content.writeObject(item);
            } else {
                envelope.library().appendItem(item, content);
            }
        }
        content.reset();
        return new ReceivedStreamMessage(envelope, content);
    }
}
