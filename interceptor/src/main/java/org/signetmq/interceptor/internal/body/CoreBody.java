/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.ContentTypes;
import org.signetmq.interceptor.internal.parse.CoreParsers;
import org.signetmq.interceptor.internal.parse.InflatingStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The body of a Core message. The broker converts messages of MQTT, STOMP and OpenWire to Core messages on arrival. */
final class CoreBody implements MessageBody {
    /** The property that marks a body that a Core client compressed. */
    private static final SimpleString COMPRESSED = Message.HDR_LARGE_COMPRESSED;

    private static final SimpleString COMPRESSED_FROM = Message.HDR_LARGE_BODY_SIZE;

    /**
     * The property that makes the broker compress the body for OpenWire consumers, which is useless for an envelope.
     */
    private static final SimpleString OPENWIRE_COMPRESSED = SimpleString.of("__HDR_COMPRESSED");

    /** The property with the JMS type of a converted AMQP message. An AMQP consumer would receive this type. */
    private static final SimpleString AMQP_JMS_TYPE = SimpleString.of("JMS_AMQP_MA_x-opt-jms-msg-type");

    private static final SimpleString MQTT_RETAIN = SimpleString.of("mqtt.message.retain");
    private static final SimpleString MQTT_CONTENT_TYPE = SimpleString.of("mqtt.content.type");
    private static final SimpleString MQTT_PAYLOAD_FORMAT = SimpleString.of("mqtt.payload.format.indicator");

    private final ICoreMessage message;
    private final Reading reading;
    private final byte[] body;
    private final int bodyAsEncoded;
    private final boolean compressed;

    /**
     * The settings for reading a body.
     *
     * @param mqtt whether the message arrived by MQTT
     * @param mostBytes the greatest length of the decompressed body, in bytes
     */
    record Reading(boolean mqtt, long mostBytes) {}

    CoreBody(ICoreMessage message, Reading reading) throws MessageRejectedException {
        this.message = message;
        this.reading = reading;
        byte[] encoded = bytesOf(message);
        this.bodyAsEncoded = encoded.length;
        this.compressed = Boolean.TRUE.equals(message.getObjectProperty(COMPRESSED));
        this.body = compressed ? InflatingStage.inflate(encoded, reading.mostBytes()) : encoded;
    }

    private static byte[] bytesOf(ICoreMessage message) {
        ActiveMQBuffer buffer = message.getReadOnlyBodyBuffer();
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    @Override
    public Optional<byte[]> possibleEnvelope() {
        return message.getType() == Message.BYTES_TYPE ? Optional.of(body) : Optional.empty();
    }

    @Override
    public boolean clearsRetained() {
        return reading.mqtt() && body.length == 0 && Boolean.TRUE.equals(message.getObjectProperty(MQTT_RETAIN));
    }

    @Override
    public BodyContent content() throws MessageRejectedException {
        if (reading.mqtt()) {
            return mqtt();
        }
        return CoreParsers.read(message.getType(), body);
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
        return message.getEncodeSize() - bodyAsEncoded;
    }

    @Override
    public void replace(byte[] envelope) {
        int whole = envelope.length + bytesAround();
        ActiveMQBuffer buffer = message.getBodyBuffer();
        buffer.clear();
        if (buffer.capacity() < whole) {
            buffer.byteBuf()
                    .capacity(
                            whole); // else the capacity grows to the next power of two, which the broker counts as used
            // memory
        }
        buffer.writeBytes(envelope);
        message.setType(Message.BYTES_TYPE);
        message.removeProperty(OPENWIRE_COMPRESSED);
        message.removeProperty(AMQP_JMS_TYPE);
        if (message.removeProperty(COMPRESSED) != null) {
            message.removeProperty(COMPRESSED_FROM);
        }
        if (reading.mqtt()) {
            message.removeProperty(MQTT_CONTENT_TYPE);
            message.removeProperty(MQTT_PAYLOAD_FORMAT);
        }
        message.messageChanged();
    }
}
