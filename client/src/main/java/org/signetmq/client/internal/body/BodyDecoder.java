/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.Entity;

/** Decodes payloads by the kind in their header Signet-Body. */
public final class BodyDecoder {
    /** The header with the content type of an AMQP message. */
    public static final String CONTENT_TYPE = "Content-Type";

    /** The JMS type that an AMQP producer annotated (x-opt-jms-msg-type). */
    public static final String JMS_TYPE = "Jms-Type";

    /** The header that marks the payload of an MQTT 5 message as text. */
    public static final String PAYLOAD_FORMAT = "Payload-Format";

    /** The property of a message that the broker stored as a large one only because it is sealed. */
    public static final String LARGE = "Large";

    private static final char REPLACEMENT = '\uFFFD';

    private BodyDecoder() {}

    /**
     * A decoded payload.
     *
     * @param length its length in bytes
     * @param sections the AMQP sections of the body, or null for another protocol
     */
    public record Decoded(Body body, int length, @Nullable AmqpSections sections) {}

    /**
     * Decodes the payload of an entity.
     *
     * @throws MalformedEnvelopeException if the payload does not conform to its kind
     */
    public static Decoded decode(Entity entity, byte[] payload, ClientProtocol protocol) {
        return decode(kind(entity), payload, entity.properties(), protocol);
    }

    /** Returns the kind of the payload; bytes if the entity names none. */
    public static BodyKind kind(Entity entity) {
        return entity.bodyKind().orElse(BodyKind.BYTES);
    }

    /** Returns whether the application receives the payload unchanged, as bytes. */
    public static boolean areBytes(Entity entity, ClientProtocol protocol) {
        return switch (kind(entity)) {
            case JMS_BYTES ->
                protocol == ClientProtocol.AMQP
                        ? AmqpBodyDecoder.areBytes(entity.properties())
                        : AmqpConversion.areBytes(entity.properties().get(CONTENT_TYPE));
            case MQTT, BYTES -> true;
            default -> false;
        };
    }

    /** Decodes a payload of this kind, with the properties of its entity. */
    public static Decoded decode(
            BodyKind kind, byte[] payload, Map<String, String> properties, ClientProtocol protocol) {
        if (kind != BodyKind.AMQP_SECTIONS) {
            return new Decoded(body(kind, payload, properties, protocol), payload.length, null);
        }
        AmqpSections sections = AmqpSections.read(payload);
        Body body = protocol == ClientProtocol.AMQP
                ? AmqpBodyDecoder.body(sections, properties)
                : AmqpConversion.body(sections, properties.get(CONTENT_TYPE));
        return new Decoded(body, payload.length, sections);
    }

    private static Body body(BodyKind kind, byte[] payload, Map<String, String> properties, ClientProtocol protocol) {
        return switch (kind) {
            case JMS_TEXT -> new Body.Text(text(payload, StandardCharsets.UTF_8));
            case JMS_TEXT_NULL -> nothing(payload, new Body.Text(null));
            case JMS_TEXT_UTF16 -> new Body.Text(utf16(payload));
            case JMS_TEXT_CORE -> new Body.Text(CoreBuffer.text(payload));
            case JMS_MAP -> new Body.Named(CoreBuffer.map(payload));
            case JMS_STREAM -> CoreBuffer.stream(payload);
            case JMS_OBJECT -> payload.length == 0 ? Body.Serialized.NOTHING : new Body.Serialized(payload);
            case JMS_OBJECT_CORE -> CoreBuffer.object(payload);
            case JMS_EMPTY -> nothing(payload, new Body.Empty());
            case JMS_BYTES ->
                protocol == ClientProtocol.AMQP
                        ? AmqpBodyDecoder.data(payload, properties)
                        : AmqpConversion.data(payload, properties.get(CONTENT_TYPE));
            case AMQP_SECTIONS, MQTT, BYTES -> new Body.Bytes(payload);
        };
    }

    /** Returns the body of a bytes message from where its reading is, and puts it back to its start. */
    public static byte[] bytesOf(BytesMessage message) throws JMSException {
        long length = message.getBodyLength();
        if (length > Integer.MAX_VALUE - Long.BYTES) {
            throw new MalformedEnvelopeException("body: too long to be opened as a whole, " + length + " bytes");
        }
        byte[] body = new byte[(int) length];
        int read = body.length == 0 ? 0 : message.readBytes(body);
        message.reset();
        if (read != body.length) {
            throw new MalformedEnvelopeException("body: ends after " + read + " of " + body.length + " bytes");
        }
        return body;
    }

    private static Body nothing(byte[] payload, Body body) {
        if (payload.length != 0) {
            throw new MalformedEnvelopeException("payload: should be empty, is " + payload.length + " bytes");
        }
        return body;
    }

    /** Decodes UTF-16 and keeps lone surrogates; decoders of the JDK would replace them. */
    private static String utf16(byte[] payload) {
        if (payload.length % Character.BYTES != 0) {
            throw new MalformedEnvelopeException("payload: not UTF-16, odd length " + payload.length);
        }
        return ByteBuffer.wrap(payload).asCharBuffer().toString();
    }

    static String text(byte[] payload, Charset charset) {
        return decoded(payload, charset)
                .orElseThrow(() -> new MalformedEnvelopeException("payload: not " + charset.name()));
    }

    /** Decodes a text; empty if the bytes are not valid in this charset. */
    static Optional<String> decoded(byte[] bytes, Charset charset) {
        if (charset.equals(StandardCharsets.UTF_8)) {
            String text = new String(bytes, charset); // many times as fast as a decoder, but it replaces invalid bytes
            if (text.indexOf(REPLACEMENT) < 0) {
                return Optional.of(text);
            }
        }
        try {
            return Optional.of(
                    charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
