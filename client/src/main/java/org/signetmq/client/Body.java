/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

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

/** A body, read, before it becomes a message of the provider. */
sealed interface Body {
    /** A message of the provider with this body. */
    ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException;

    /** None: a message of headers and properties. */
    record Empty() implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            return new ReceivedMessage(arrival, session.createMessage());
        }
    }

    /** A text, or the null of a text message without one. */
    record Text(@Nullable String text) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            TextMessage content = session.createTextMessage();
            content.setText(text);
            return new ReceivedTextMessage(arrival, content);
        }
    }

    /** Bytes. */
    record Bytes(byte[] bytes) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            BytesMessage content = session.createBytesMessage();
            if (bytes.length > 0) {
                return new ReceivedBytesMessage(arrival, content, bytes);
            }
            content.writeBytes(bytes); // providers differ in what they make of no bytes
            content.reset();
            return new ReceivedBytesMessage(arrival, content);
        }
    }

    /** Named values. Those that the provider's message does not take stay beside it. */
    record Named(Map<String, @Nullable Object> values) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            MapMessage content = session.createMapMessage();
            Map<String, Object> beside = new LinkedHashMap<>();
            for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
                Object value = entry.getValue();
                if (value != null && (entry.getKey().isEmpty() || !isPrimitive(value))) {
                    beside.put(entry.getKey(), value);
                } else {
                    content.setObject(entry.getKey(), value);
                }
            }
            return new ReceivedMapMessage(arrival, content, beside);
        }
    }

    /** Items in order; as an object if one of them is not of the types that the provider's stream message takes. */
    record Items(List<@Nullable Object> items) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            StreamMessage content = session.createStreamMessage();
            boolean primitive = items.stream().allMatch(Body::isPrimitive);
            if (!primitive && !QpidItems.areTakenBy(content)) {
                return new Typed(new ArrayList<>(items)).message(arrival, session);
            }
            for (Object item : items) {
                if (primitive) {
                    content.writeObject(item);
                } else {
                    QpidItems.append(item, content);
                }
            }
            content.reset();
            return new ReceivedStreamMessage(arrival, content);
        }
    }

    /**
     * A serialised Java object. Whether its classes may be loaded is the provider's decision.
     *
     * @param bytes null for no object; bytes that are none are an object that cannot be read
     */
    record Serialized(byte @Nullable [] bytes) implements Body {
        static final Serialized NOTHING = new Serialized(null);

        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            ObjectMessage content = session.createObjectMessage();
            ObjectSource source = bytes == null ? null : SerializedObjects.put(bytes, content);
            return new ReceivedObjectMessage(arrival, content, source);
        }
    }

    /** A value that no Java serialisation made, such as an AMQP map. */
    record Typed(Object value) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            ObjectMessage content = session.createObjectMessage();
            return new ReceivedObjectMessage(arrival, content, new TypedObject(value));
        }
    }

    /** Whether map and stream messages take such a value. */
    static boolean isPrimitive(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double
                || value instanceof byte[];
    }
}
