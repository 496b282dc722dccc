/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
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

    /** Named values; as an object if one of them is not of the types that a map message takes. */
    record Named(Map<String, @Nullable Object> values) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            if (!values.values().stream().allMatch(Body::isPrimitive)) {
                return new Typed(new LinkedHashMap<>(values)).message(arrival, session);
            }
            MapMessage content = session.createMapMessage();
            for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
                content.setObject(entry.getKey(), entry.getValue());
            }
            return new ReceivedMapMessage(arrival, content);
        }
    }

    /** Items in order; as an object if one of them is not of the types that a stream message takes. */
    record Items(List<@Nullable Object> items) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            if (!items.stream().allMatch(Body::isPrimitive)) {
                return new Typed(new ArrayList<>(items)).message(arrival, session);
            }
            StreamMessage content = session.createStreamMessage();
            for (Object item : items) {
                content.writeObject(item);
            }
            content.reset();
            return new ReceivedStreamMessage(arrival, content);
        }
    }

    /** A serialised Java object; nothing for null. Whether its classes may be loaded is the provider's decision. */
    record Serialized(byte[] bytes) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            ObjectMessage content = session.createObjectMessage();
            ObjectSource source = bytes.length == 0 ? null : SerializedObjects.put(bytes, content);
            return new ReceivedObjectMessage(arrival, content, source);
        }
    }

    /** An object that no Java serialisation made, such as an AMQP map. */
    record Typed(Serializable object) implements Body {
        @Override
        public ReceivedMessage message(Arrival arrival, ProviderSession session) throws JMSException {
            return new ReceivedObjectMessage(arrival, session.createObjectMessage(), () -> object);
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
