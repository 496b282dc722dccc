/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.client.OpenFailure;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Opens one message for a request that had the token, and writes its line of the audit before the answer. Thread-safe.
 */
final class OpenService {
    private static final JsonMapper JSON = new JsonMapper();

    private final Opener opener;
    private final ServeAudit audit;

    OpenService(Opener opener, ServeAudit audit) {
        this.opener = opener;
        this.audit = audit;
    }

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param body JSON
     */
    record Answer(int status, byte[] body) {
        /** Returns an answer without a payload. */
        static Answer failure(int status, String cause, String reason) {
            ObjectNode failure = Json.object().put("cause", cause).put("reason", reason);
            return new Answer(status, bytes(Json.object().put("schema", 1).set("failure", failure)));
        }
    }

    ServeAudit audit() {
        return audit;
    }

    /**
     * Opens a message.
     *
     * @param from the address of the caller
     * @param address the address that the message was sealed for
     * @param body the body of the message as it lies on the broker
     */
    Answer open(String from, String address, byte[] body) {
        try {
            OpenedMessage opened = opener.open(body, address);
            return answered(from, address, body, opened);
        } catch (RuntimeException | Error e) {
            return failed(from, address, body, e);
        }
    }

    private Answer answered(String from, String address, byte[] body, OpenedMessage opened) {
        Optional<Entity> entity = opened.entityIfProtected();
        ObjectNode line = line("message-opened", from, address, body)
                .put("quality", opened.quality().label());
        ServeAudit.put(line, "signer", opened.signer().orElse(null));
        ServeAudit.put(line, "sender", opened.sender().orElse(null));
        ServeAudit.put(line, "message-id", entity.map(Entity::messageId).orElse(null));
        if (!audit.write(line)) {
            return Answer.failure(
                    503, OpenFailure.INTERNAL.name(), "the audit cannot be written, so nothing is opened");
        }
        ObjectNode answer = Json.object()
                .put("schema", 1)
                .put("address", address)
                .put("quality", opened.quality().label())
                .put("signer", opened.signer().orElse(null))
                .put("proof", opened.proof().orElse(null))
                .put("sender", opened.sender().orElse(null))
                .put("message-id", entity.map(Entity::messageId).orElse(null))
                .put("content-type", entity.map(Entity::contentType).orElse(null));
        ObjectNode properties = answer.putObject("properties");
        entity.ifPresent(known -> known.properties().forEach(properties::put));
        answer.set("payload", payload(entity.orElse(null), opened.payload()));
        return new Answer(200, bytes(answer));
    }

    /** Returns the payload as text, or else as base 64. */
    private static ObjectNode payload(@Nullable Entity entity, byte[] bytes) {
        BodyKind kind = entity == null ? BodyKind.BYTES : entity.bodyKind().orElse(BodyKind.BYTES);
        String text = switch (kind) {
            case JMS_TEXT, JMS_BYTES, MQTT, BYTES -> utf8(bytes);
            case JMS_TEXT_UTF16 -> new String(bytes, StandardCharsets.UTF_16BE);
            case AMQP_SECTIONS -> ofSections(bytes);
            case JMS_EMPTY, JMS_TEXT_NULL -> "";
            default -> null;
        };
        ObjectNode payload = Json.object()
                .put("kind", entity == null ? kind.wireName() : entity.body())
                .put("length", bytes.length)
                .put("text", text);
        return text == null ? payload.put("base64", bytes) : payload.putNull("base64");
    }

    private static @Nullable String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Returns the text of an AMQP message; null if its body is no text. */
    private static @Nullable String ofSections(byte[] bytes) {
        try {
            Message message = Message.Factory.create();
            int unused = message.decode(bytes, 0, bytes.length);
            Section body = message.getBody();
            if (body instanceof AmqpValue value && value.getValue() instanceof String text) {
                return text;
            }
            if (body instanceof Data data) {
                byte[] part = new byte[data.getValue().getLength()];
                data.getValue().asByteBuffer().get(part);
                return utf8(part);
            }
            return null;
        } catch (RuntimeException | StackOverflowError malformed) { // undocumented; it follows each list within a list
            return null;
        }
    }

    private Answer failed(String from, String address, byte[] body, Throwable e) {
        OpenFailure cause = e instanceof CliException ? OpenFailure.KEYSTORE : OpenFailure.of(e);
        String reason =
                cause == OpenFailure.INTERNAL ? "unexpected " + e.getClass().getSimpleName() : Failures.inWords(e);
        ObjectNode line = line("message-not-opened", from, address, body).put("reason", cause.label());
        ServeAudit.put(line, "text", reason);
        boolean unused = audit.write(line);
        int status = switch (cause) {
            case KEYSTORE -> 503;
            case INTERNAL -> 500;
            default -> 422;
        };
        return Answer.failure(status, cause.name(), reason);
    }

    private ObjectNode line(String event, String from, String address, byte[] body) {
        ObjectNode line = audit.line(event, from);
        ServeAudit.put(line, "address", address);
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        return line.put("sha256", HexFormat.of().formatHex(digest.digest(body)));
    }

    private static byte[] bytes(Object json) {
        try {
            return JSON.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("answer: cannot be written as JSON", e);
        }
    }
}
