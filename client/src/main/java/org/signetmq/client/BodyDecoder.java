/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.signetmq.envelope.BodyKind;
import org.signetmq.envelope.Entity;
import org.signetmq.envelope.MalformedEnvelopeException;

/** Reads payloads as their Signet-Body says. */
final class BodyDecoder {
    /** The content type that an AMQP producer gave its message. */
    static final String CONTENT_TYPE = "Content-Type";

    /** What an AMQP producer said the message is in terms of Jakarta Messaging (x-opt-jms-msg-type). */
    static final String JMS_TYPE = "Jms-Type";

    private static final String BYTES_MESSAGE = "3";

    private BodyDecoder() {}

    /** @throws MalformedEnvelopeException if the payload is not what it should be */
    static Body decode(Entity entity, byte[] payload) {
        BodyKind kind = entity.bodyKind().orElse(BodyKind.BYTES); // sealed by software that knows no message kinds
        return decode(kind, payload, entity.properties());
    }

    /** Whether the payload is handed out as the bytes that it is. */
    static boolean areBytes(Entity entity) {
        return switch (entity.bodyKind().orElse(BodyKind.BYTES)) {
            case JMS_BYTES -> isBytes(entity.properties());
            case MQTT, BYTES -> true;
            default -> false;
        };
    }

    static Body decode(BodyKind kind, byte[] payload, Map<String, String> properties) {
        return switch (kind) {
            case JMS_TEXT -> new Body.Text(text(payload, StandardCharsets.UTF_8));
            case JMS_TEXT_NULL -> nothing(payload, new Body.Text(null));
            case JMS_TEXT_UTF16 -> new Body.Text(utf16(payload));
            case JMS_MAP -> new Body.Named(CoreMapDecoder.decode(payload));
            case JMS_STREAM -> new Body.Items(CoreStreamDecoder.decode(payload));
            case JMS_OBJECT -> new Body.Serialized(payload);
            case JMS_EMPTY -> nothing(payload, new Body.Empty());
            case JMS_BYTES -> bytesOrText(payload, properties);
            case AMQP_SECTIONS -> AmqpBodyDecoder.decode(payload, properties);
            case MQTT, BYTES -> new Body.Bytes(payload);
        };
    }

    /** A data section of an AMQP producer that named a textual content type is a text to a JMS consumer. */
    private static Body bytesOrText(byte[] payload, Map<String, String> properties) {
        Optional<Charset> charset = TextualContent.charset(properties.get(CONTENT_TYPE));
        return isBytes(properties) || charset.isEmpty()
                ? new Body.Bytes(payload)
                : new Body.Text(text(payload, charset.get()));
    }

    private static boolean isBytes(Map<String, String> properties) {
        return BYTES_MESSAGE.equals(properties.get(JMS_TYPE))
                || TextualContent.charset(properties.get(CONTENT_TYPE)).isEmpty();
    }

    private static Body nothing(byte[] payload, Body body) {
        if (payload.length != 0) {
            throw new MalformedEnvelopeException("payload: should be empty, is " + payload.length + " bytes");
        }
        return body;
    }

    /** Lone surrogates and all: UTF-16 decoders of the JDK would replace them. */
    private static String utf16(byte[] payload) {
        if (payload.length % Character.BYTES != 0) {
            throw new MalformedEnvelopeException("payload: not UTF-16, odd length " + payload.length);
        }
        char[] characters = new char[payload.length / Character.BYTES];
        ByteBuffer.wrap(payload).asCharBuffer().get(characters);
        return new String(characters);
    }

    static String text(byte[] payload, Charset charset) {
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedEnvelopeException("payload: not " + charset.name());
        }
    }
}
