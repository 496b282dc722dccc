/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessageBrokerAccessor;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.protocol.amqp.util.NettyWritable;
import org.apache.activemq.artemis.protocol.amqp.util.TLSEncode;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.BodyContent.ContentTypes;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * The body of an AMQP message. Only the classes named Amqp… refer to types of the AMQP protocol. A broker without AMQP
 * never loads them.
 */
public final class AmqpBody implements MessageBody {
    private static final Symbol JMS_TYPE = Symbol.valueOf("x-opt-jms-msg-type");

    /** The JMS type of an envelope. With another type a JMS client would present the envelope as a text or a map. */
    private static final byte JMS_BYTES = 3;

    private final AMQPStandardMessage message;
    private final MessageImpl head;
    private final AmqpSections sections;

    private AmqpBody(AMQPStandardMessage message) {
        this.message = message;
        this.head = headOf(message);
        this.sections = new AmqpSections(sectionsOf(message));
    }

    /**
     * Returns the body of a message that is not large.
     *
     * @throws MessageRejectedException if a section does not conform to AMQP
     */
    public static MessageBody of(Message message) throws MessageRejectedException {
        try {
            return new AmqpBody((AMQPStandardMessage) message);
        } catch (RuntimeException
                | StackOverflowError unreadable) { // the decoders throw many types; nesting has no limit
            throw new MessageRejectedException("a section of the AMQP message cannot be read");
        }
    }

    /** Returns the length of the body sections and the footer, in bytes. */
    static long length(Message message) {
        int start = AMQPMessageBrokerAccessor.getRemainingBodyPosition((AMQPStandardMessage) message);
        return start < 0 ? 0 : message.getEncodeSize() - start;
    }

    /** Empties the body without decoding it. */
    public static void drop(Message message) {
        AMQPStandardMessage amqp = (AMQPStandardMessage) message;
        MessageImpl head = headOf(amqp);
        head.setBody(new Data(new Binary(new byte[0])));
        reload(amqp, head, 0);
    }

    /** Returns the sections before the body. It decodes no body, which could take much memory and time. */
    private static MessageImpl headOf(AMQPStandardMessage message) {
        MessageImpl head = new MessageImpl();
        head.setHeader(message.getHeader());
        DeliveryAnnotations forDelivery = message.getDeliveryAnnotations();
        if (forDelivery != null) {
            head.setDeliveryAnnotations(new DeliveryAnnotations(AmqpArrays.encodable(forDelivery.getValue())));
        }
        MessageAnnotations annotations = message.getMessageAnnotations();
        if (annotations != null) {
            head.setMessageAnnotations(new MessageAnnotations(AmqpArrays.encodable(annotations.getValue())));
        }
        head.setProperties(message.getProperties());
        head.setApplicationProperties(message.getApplicationProperties());
        return head;
    }

    /** Joins the head of a large message with its bytes to a message that is not large. */
    public static Message whole(Message head, byte[] bytes) {
        AMQPLargeMessage large = (AMQPLargeMessage) head;
        AMQPStandardMessage whole =
                new AMQPStandardMessage(large.getMessageFormat(), bytes, large.getExtraProperties());
        if (large.getExpiration() > 0) {
            whole.reloadExpiration(large.getExpiration());
        }
        MessageAnnotations annotations = AMQPMessageBrokerAccessor.getDecodedMessageAnnotations(large);
        if (annotations != null) {
            annotations
                    .getValue()
                    .forEach((name, value) -> whole.setAnnotation(SimpleString.of(name.toString()), value));
        }
        whole.reencode(); // before the address is set, because the broker would overwrite the producer's 'to'
        whole.setAddress(large.getAddressSimpleString());
        return whole;
    }

    /** Returns the encoded body sections and footer. */
    private static byte[] sectionsOf(AMQPStandardMessage message) {
        ReadableBuffer buffer = message.getSendBuffer(1, null);
        DecoderImpl decoder = TLSEncode.getDecoder();
        decoder.setBuffer(buffer);
        try {
            while (buffer.hasRemaining()) {
                int start = buffer.position();
                Class<?> section = decoder.readConstructor().getTypeClass();
                buffer.position(start);
                if (!precedesBody(section)) {
                    byte[] rest = new byte[buffer.remaining()];
                    buffer.get(rest);
                    return rest;
                }
                decoder.readConstructor().skipValue();
                if (buffer.position() <= start) { // a length above 2^31 is negative, and leads back
                    throw new IllegalArgumentException("section: its length is negative");
                }
            }
            return new byte[0];
        } finally {
            decoder.setBuffer(null);
        }
    }

    private static boolean precedesBody(Class<?> section) {
        return section == Header.class
                || section == DeliveryAnnotations.class
                || section == MessageAnnotations.class
                || section == Properties.class
                || section == ApplicationProperties.class;
    }

    @Override
    public Optional<ByteBuffer> possibleEnvelope() {
        return sections.onlyData().map(ByteBuffer::wrap);
    }

    @Override
    public Optional<ByteBuffer> beginning() {
        return sections.beginning();
    }

    @Override
    public BodyContent content() {
        Map<String, String> properties = new HashMap<>();
        String contentType = head.getContentType();
        if (contentType != null) {
            properties.put(ContentTypes.PROPERTY, contentType);
        }
        Integer jmsType = jmsType();
        if (jmsType != null) {
            properties.put("Jms-Type", jmsType.toString());
        }
        BodyContent content = sections.content(contentType, jmsType);
        return new BodyContent(content.body(), content.bytes(), properties);
    }

    private @Nullable Integer jmsType() {
        MessageAnnotations annotations = head.getMessageAnnotations();
        Object value = annotations == null ? null : annotations.getValue().get(JMS_TYPE);
        return value instanceof Number number ? Integer.valueOf(number.intValue()) : null;
    }

    @Override
    public int bytesAround() {
        return message.getEncodeSize() - sections.length();
    }

    @Override
    public Map<String, @Nullable Object> properties(List<String> names) throws MessageRejectedException {
        ApplicationProperties all = names.isEmpty() ? null : head.getApplicationProperties();
        if (all == null || all.getValue() == null) {
            return Map.of();
        }
        Map<String, @Nullable Object> found = new HashMap<>();
        Map<?, ?> values = all.getValue(); // producers may send keys that are no strings
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            String name = String.valueOf((@Nullable Object) entry.getKey());
            if (names.contains(name)) {
                ProducerProperties.putOnce(found, name, entry.getValue());
            }
        }
        return found;
    }

    private void remove(Set<String> hidden) {
        ApplicationProperties all = head.getApplicationProperties();
        if (!hidden.isEmpty() && all != null) {
            Map<String, Object> kept = new HashMap<>(all.getValue());
            Map<?, ?> keys = kept;
            keys.keySet().removeIf(key -> hidden.contains(String.valueOf((@Nullable Object) key)));
            head.setApplicationProperties(kept.isEmpty() ? null : new ApplicationProperties(kept));
        }
    }

    @Override
    public void replace(ByteBuffer envelope, Set<String> hidden) {
        remove(hidden);
        head.setBody(new Data(
                new Binary(envelope.array(), envelope.arrayOffset() + envelope.position(), envelope.remaining())));
        head.setFooter(null);
        MessageAnnotations old = head.getMessageAnnotations();
        Map<Symbol, Object> annotations = old == null ? new HashMap<>() : new HashMap<>(old.getValue());
        annotations.put(JMS_TYPE, JMS_BYTES);
        head.setMessageAnnotations(new MessageAnnotations(annotations));
        if (head.getContentType() != null) {
            head.setContentType(ContentTypes.BINARY);
        }
        reload(message, head, envelope.remaining());
    }

    /** Replaces the sections before the body, and keeps the body sections and the footer. */
    static void replaceHead(AMQPStandardMessage message, MessageImpl head) {
        byte[] sections = sectionsOf(message);
        ByteBuf encoded = Unpooled.buffer(message.getEncodeSize() + 1024);
        head.encode(new NettyWritable(encoded));
        encoded.writeBytes(sections);
        reload(message, encoded);
    }

    private static void reload(AMQPStandardMessage message, MessageImpl decoded, int bodyLength) {
        ByteBuf encoded = Unpooled.buffer(bodyLength + 1024);
        decoded.encode(new NettyWritable(encoded));
        reload(message, encoded);
    }

    /** Replaces the bytes of the message by the only method for it, with which the broker reads its journal. */
    private static void reload(AMQPStandardMessage message, ByteBuf encoded) {
        ActiveMQBuffer record = ActiveMQBuffers.dynamicBuffer(encoded.readableBytes() + Integer.BYTES);
        record.writeInt(encoded.readableBytes());
        record.writeBytes(encoded, 0, encoded.readableBytes());
        message.reloadPersistence(record, null);
    }

    /**
     * Replaces arrays of primitives in decoded AMQP values by arrays of wrapper classes. The decoder makes arrays of
     * primitives, but the encoder rejects them in lists and maps. Both encode as the same AMQP types.
     */
    static final class AmqpArrays {
        private AmqpArrays() {}

        /** Returns a copy of a map, in the same order, that the encoder accepts. */
        static <K> Map<K, Object> encodable(Map<K, ?> values) {
            Map<K, Object> copy = new LinkedHashMap<>();
            values.forEach((key, value) -> copy.put(key, encodable(value)));
            return copy;
        }

        private static @Nullable Object encodable(@Nullable Object value) {
            if (value instanceof Map<?, ?> map) {
                return encodable(map);
            }
            if (value instanceof List<?> list) {
                List<@Nullable Object> copy = new ArrayList<>(list.size());
                list.forEach(element -> copy.add(encodable(element)));
                return copy;
            }
            Class<?> primitive = value == null ? null : value.getClass().getComponentType();
            if (value == null || primitive == null || !primitive.isPrimitive()) {
                return value;
            }
            Class<?> element = MethodType.methodType(primitive).wrap().returnType();
            Object[] copy = (Object[]) Array.newInstance(element, Array.getLength(value));
            for (int i = 0; i < copy.length; i++) {
                copy[i] = Array.get(value, i);
            }
            return copy;
        }
    }

    /**
     * Removes reserved properties from an AMQP message: from its application properties, its message annotations and
     * the extra properties that the broker keeps with it.
     */
    static final class AmqpProperties {
        private static final String BEFORE_UNDERSCORE = "signet";

        private AmqpProperties() {}

        /**
         * Removes the reserved properties of a message. A message without reserved names is not decoded.
         *
         * @throws MessageRejectedException if the message lies in a file and has reserved properties
         */
        static void removeReserved(Message message) throws MessageRejectedException {
            AMQPMessage amqp = (AMQPMessage) message;
            TypedProperties beside = amqp.getExtraProperties();
            if (beside != null) {
                ProducerProperties.removeFrom(beside);
            }
            if (!(amqp instanceof AMQPStandardMessage standard)) {
                requireNoneInFile(amqp);
            } else if (mayHaveReserved(standard)) {
                removeReserved(standard);
            }
        }

        /** Returns whether the encoded bytes before the body contain the prefix of reserved names. */
        private static boolean mayHaveReserved(AMQPStandardMessage message) {
            ReadableBuffer buffer = message.getSendBuffer(1, null);
            int body = AMQPMessageBrokerAccessor.getRemainingBodyPosition(message);
            int end = body < 0 ? buffer.limit() : Math.min(body, buffer.limit());
            for (int i = BEFORE_UNDERSCORE.length(); i < end; i++) {
                if (buffer.get(i) == '_' && endsAt(buffer, i)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean endsAt(ReadableBuffer buffer, int end) {
            int start = end - BEFORE_UNDERSCORE.length();
            for (int i = 0; i < BEFORE_UNDERSCORE.length(); i++) {
                if ((buffer.get(start + i) | 0x20) != BEFORE_UNDERSCORE.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        private static void removeReserved(AMQPStandardMessage message) {
            MessageImpl head = new MessageImpl();
            head.setHeader(message.getHeader());
            head.setProperties(message.getProperties());
            ApplicationProperties properties = message.getApplicationProperties();
            boolean changed = false;
            if (properties != null) {
                Map<String, Object> kept = new HashMap<>(properties.getValue());
                changed = removeReserved(kept);
                head.setApplicationProperties(kept.isEmpty() ? null : new ApplicationProperties(kept));
            }
            MessageAnnotations annotations = message.getMessageAnnotations();
            if (annotations != null) {
                var kept = new HashMap<>(annotations.getValue());
                changed |= removeReserved(kept);
                head.setMessageAnnotations(new MessageAnnotations(kept));
            }
            if (changed) {
                AmqpBody.replaceHead(message, head);
            }
        }

        /** Removes reserved keys. Keys should be strings or symbols, but producers may send others. */
        private static boolean removeReserved(Map<?, ?> map) {
            return map.keySet().removeIf(key -> ProducerProperties.isReserved(String.valueOf((@Nullable Object) key)));
        }

        /** Checks the sections that the broker has decoded, because the file may be empty yet. */
        private static void requireNoneInFile(AMQPMessage message) throws MessageRejectedException {
            MessageAnnotations annotations = AMQPMessageBrokerAccessor.getDecodedMessageAnnotations(message);
            if (message.getPropertyNames().stream().anyMatch(ProducerProperties::isReserved)
                    || (annotations != null && removeReserved(new HashMap<>(annotations.getValue())))) {
                throw new MessageRejectedException(
                        "a large AMQP message with a property whose name begins with JMS_Signet_ or signet_: only"
                                + " Signet's client library sets such properties");
            }
        }
    }
}
