/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.InflaterInputStream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.ProducerProperties.MqttUserProperties;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.BodyContent.ContentTypes;
import org.signetmq.interceptor.internal.parse.CoreParsers;
import org.signetmq.interceptor.internal.parse.InflatingStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The body of a Core message. The broker converts messages of MQTT, STOMP and OpenWire to Core messages on arrival. */
public final class CoreBody implements MessageBody {
    /** The property that marks a body that a Core client compressed. */
    private static final SimpleString COMPRESSED = Message.HDR_LARGE_COMPRESSED;

    private static final SimpleString COMPRESSED_FROM = Message.HDR_LARGE_BODY_SIZE;

    /**
     * The property that makes the broker compress the body for OpenWire consumers, which is useless for an envelope.
     */
    private static final SimpleString OPENWIRE_COMPRESSED = SimpleString.of("__HDR_COMPRESSED");

    /** The property with the JMS type of a converted AMQP message. An AMQP consumer would receive this type. */
    private static final SimpleString AMQP_JMS_TYPE = SimpleString.of("JMS_AMQP_MA_x-opt-jms-msg-type");

    /**
     * The key of a mark in the user context of a message, which exists only in this process: the broker stores the
     * message as a large one only because it is sealed.
     */
    private static final Object LARGE_AS_ENVELOPE = new Object();

    private static final SimpleString MQTT_RETAIN = SimpleString.of("mqtt.message.retain");
    private static final SimpleString MQTT_CONTENT_TYPE = SimpleString.of("mqtt.content.type");
    private static final SimpleString MQTT_PAYLOAD_FORMAT = SimpleString.of("mqtt.payload.format.indicator");

    private static final int UNKNOWN = -1;

    private final ICoreMessage message;
    private final boolean mqtt;
    private final ByteBuffer encoded;
    private final ByteBuffer body;
    private final boolean compressed;
    private int bytesAround = UNKNOWN;
    private @Nullable ByteBuffer memory;

    /**
     * Reads the body of a message.
     *
     * @param mqtt whether the message arrived by MQTT
     * @param mostBytes the greatest length of the decompressed body, in bytes
     */
    CoreBody(ICoreMessage message, boolean mqtt, long mostBytes) throws MessageRejectedException {
        this.message = message;
        this.mqtt = mqtt;
        this.encoded = bytesOf(message);
        this.compressed = isCompressed(message);
        this.body =
                compressed ? ByteBuffer.wrap(InflatingStage.inflate(BodyContent.copyOf(encoded), mostBytes)) : encoded;
    }

    static boolean isCompressed(ICoreMessage message) {
        return Boolean.TRUE.equals(message.getObjectProperty(COMPRESSED));
    }

    static long decompressedLength(ICoreMessage message, long mostBytes) throws MessageRejectedException {
        return InflatingStage.inflatedLength(BodyContent.copyOf(bytesOf(message)), mostBytes);
    }

    /** Returns the body in the array of the message, which {@link #memory} does not write to; or else a copy. */
    private static ByteBuffer bytesOf(ICoreMessage message) {
        int length = message.getBodyBufferSize();
        if (isInOwnArray(message)) {
            ByteBuf whole = message.getBuffer();
            return ByteBuffer.wrap(whole.array(), whole.arrayOffset() + CoreMessage.BODY_OFFSET, length);
        }
        byte[] bytes = new byte[length];
        message.getReadOnlyBodyBuffer().readBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** Returns whether the buffer of the message has an array that the garbage collector frees. */
    private static boolean isInOwnArray(ICoreMessage message) {
        return message.getBuffer() instanceof UnpooledHeapByteBuf;
    }

    /** Returns the bytes of a message that may be an envelope, decompressed while the caller reads. */
    static Optional<InputStream> possibleEnvelope(ICoreMessage message) {
        if (message.getType() != Message.BYTES_TYPE) {
            return Optional.empty();
        }
        ByteBuffer encoded = bytesOf(message);
        InputStream bytes = new ByteArrayInputStream(
                encoded.array(), encoded.arrayOffset() + encoded.position(), encoded.remaining());
        return Optional.of(isCompressed(message) ? new InflaterInputStream(bytes) : bytes);
    }

    @Override
    public Optional<ByteBuffer> possibleEnvelope() {
        return message.getType() == Message.BYTES_TYPE ? Optional.of(body) : Optional.empty();
    }

    @Override
    public Optional<ByteBuffer> beginning() {
        byte type = message.getType();
        return type == Message.BYTES_TYPE || type == Message.DEFAULT_TYPE ? Optional.of(body) : Optional.empty();
    }

    @Override
    public boolean clearsRetained() {
        return mqtt && !body.hasRemaining() && Boolean.TRUE.equals(message.getObjectProperty(MQTT_RETAIN));
    }

    /** Notes that the broker would not store this message as a large one without sealing. */
    public static void markLargeAsEnvelope(ICoreMessage message) {
        message.setUserContext(LARGE_AS_ENVELOPE, LARGE_AS_ENVELOPE);
    }

    @Override
    public BodyContent content() throws MessageRejectedException {
        BodyContent content = mqtt ? mqtt() : CoreParsers.read(message.getType(), body);
        if (message.getUserContext(LARGE_AS_ENVELOPE) == null) {
            return content;
        }
        Map<String, String> properties = new HashMap<>(content.properties());
        properties.put("Large", "no");
        return new BodyContent(content.body(), content.bytes(), properties);
    }

    private BodyContent mqtt() {
        Map<String, String> properties = new HashMap<>();
        Object contentType = message.getObjectProperty(MQTT_CONTENT_TYPE);
        if (contentType != null) {
            properties.put(ContentTypes.PROPERTY, contentType.toString());
        }
        Object payloadFormat = message.getObjectProperty(MQTT_PAYLOAD_FORMAT);
        if (payloadFormat != null) {
            properties.put("Payload-Format", payloadFormat.toString());
        }
        String mime = ContentTypes.usable(contentType == null ? null : contentType.toString());
        return new BodyContent(new ClearMessage.Body(BodyKind.MQTT, mime), body, properties);
    }

    @Override
    public boolean wasCompressed() {
        return compressed;
    }

    @Override
    public int bytesAround() {
        if (bytesAround == UNKNOWN) { // the broker locks the message, and perhaps encodes it, for each answer
            bytesAround = message.getEncodeSize() - encoded.remaining();
        }
        return bytesAround;
    }

    /**
     * Returns the place of the body in a new array of the message. The array has the length of the new message, because
     * the broker counts all of it as used memory.
     */
    @Override
    public ByteBuffer memory(int length) {
        if (!isInOwnArray(message)) {
            return ByteBuffer.allocate(length);
        }
        int whole = length + bytesAround();
        ActiveMQBuffer buffer = message.getBodyBuffer();
        buffer.clear();
        buffer.byteBuf().capacity(0).capacity(whole); // two steps, because one step would copy the old array
        ByteBuf made = message.getBuffer();
        memory = ByteBuffer.wrap(made.array(), made.arrayOffset() + CoreMessage.BODY_OFFSET, length);
        return memory;
    }

    @Override
    public void restore() {
        ActiveMQBuffer buffer = message.getBodyBuffer();
        buffer.clear();
        buffer.writeBytes(encoded.duplicate());
        memory = null;
    }

    @Override
    public Map<String, @Nullable Object> properties(List<String> names) throws MessageRejectedException {
        return properties(message, names);
    }

    /**
     * Returns the properties in clear that have one of these names, also user properties of MQTT.
     *
     * @throws MessageRejectedException if a name occurs twice
     */
    public static Map<String, @Nullable Object> properties(ICoreMessage message, List<String> names)
            throws MessageRejectedException {
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, @Nullable Object> found = MqttUserProperties.named(message, names);
        for (String name : names) {
            if (message.containsProperty(name)) {
                Object value = message.getObjectProperty(name);
                ProducerProperties.putOnce(found, name, value instanceof SimpleString text ? text.toString() : value);
            }
        }
        return found;
    }

    /** Removes properties that travel inside the envelope. */
    public static void remove(ICoreMessage message, Set<String> hidden) {
        if (!hidden.isEmpty()) {
            MqttUserProperties.remove(message, hidden::contains);
            hidden.forEach(message::removeProperty);
            message.messageChanged();
        }
    }

    private void write(ByteBuffer envelope) {
        int whole = envelope.remaining() + bytesAround();
        ActiveMQBuffer buffer = message.getBodyBuffer();
        buffer.clear();
        if (buffer.capacity() < whole) {
            buffer.byteBuf().capacity(whole); // else it grows to the next power of two, which counts as used memory
        }
        buffer.writeBytes(envelope.duplicate());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // an equal envelope may be in other memory
    public void replace(ByteBuffer envelope, Set<String> hidden) {
        if (envelope == memory) {
            message.getBodyBuffer().setIndex(CoreMessage.BODY_OFFSET, CoreMessage.BODY_OFFSET + envelope.remaining());
        } else {
            write(envelope);
        }
        message.setType(Message.BYTES_TYPE);
        message.removeProperty(OPENWIRE_COMPRESSED);
        message.removeProperty(AMQP_JMS_TYPE);
        if (message.removeProperty(COMPRESSED) != null) {
            message.removeProperty(COMPRESSED_FROM);
        }
        if (mqtt) {
            message.removeProperty(MQTT_CONTENT_TYPE);
            message.removeProperty(MQTT_PAYLOAD_FORMAT);
        }
        remove(message, hidden);
        message.messageChanged();
    }
}
