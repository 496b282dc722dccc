/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.MessageOpenException;
import org.signetmq.client.OpenFailure;
import org.signetmq.client.SignetConnectionFactory;

/**
 * A message on a queue, as it is shown.
 *
 * @param headers what stands beside its body
 * @param protection how it was protected; null if it cannot be opened
 * @param payload its payload; null if it cannot be opened
 * @param failure why it cannot be opened; null if it can
 */
record BrowsedMessage(
        Headers headers,
        @Nullable Protection protection,
        @Nullable BrowsedPayload payload,
        @Nullable Failure failure) {
    /** What a producer and the broker say of a message: its id, when it was sent, and properties by their names. */
    record Headers(
            @Nullable String id,
            @Nullable Instant sent,
            @Nullable String correlation,
            Map<String, Object> properties) {
        private static final Headers UNKNOWN = new Headers(null, null, null, Map.of());

        static Headers of(Message message) throws JMSException {
            long sent = message.getJMSTimestamp();
            return new Headers(
                    message.getJMSMessageID(),
                    sent == 0 ? null : Instant.ofEpochMilli(sent),
                    correlation(message),
                    properties(message));
        }

        /** A text, or bytes as base64. */
        private static @Nullable String correlation(Message message) throws JMSException {
            byte[] bytes = message.getJMSCorrelationIDAsBytes();
            return bytes == null ? message.getJMSCorrelationID() : AmqpText.of(bytes);
        }

        private static Map<String, Object> properties(Message message) throws JMSException {
            Map<String, Object> properties = new TreeMap<>();
            Enumeration<?> names = message.getPropertyNames();
            while (names.hasMoreElements()) {
                String name = (String) names.nextElement();
                Object value = message.getObjectProperty(name);
                if (value != null && !name.startsWith("signet_")) {
                    properties.put(name, value instanceof byte[] ? AmqpText.of(value) : value);
                }
            }
            return properties;
        }
    }

    /** How a message was protected; with the address that it was sealed for if it came to lie on another. */
    record Protection(
            @Nullable String quality,
            @Nullable String signer,
            @Nullable String sender,
            @Nullable String address) {}

    /** Why a message cannot be opened. */
    record Failure(String cause, String reason) {}

    static BrowsedMessage opened(Message message, int mostPayload) throws JMSException {
        Protection protection = new Protection(
                message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY),
                message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY),
                message.getStringProperty(SignetConnectionFactory.SENDER_PROPERTY),
                message.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY));
        try {
            BrowsedPayload payload = BrowsedPayload.of(message, mostPayload);
            return new BrowsedMessage(Headers.of(message), protection, payload, null);
        } catch (MessageOpenException e) { // of a large message, whose begin was right
            return closed(e, message);
        }
    }

    static BrowsedMessage closed(MessageOpenException reason) throws JMSException {
        return closed(reason, reason.arrived().orElse(null));
    }

    private static BrowsedMessage closed(MessageOpenException reason, @Nullable Message message) throws JMSException {
        Failure failure = new Failure(reason.failure().name(), Failures.inWords(reason));
        return new BrowsedMessage(message == null ? Headers.UNKNOWN : Headers.of(message), null, null, failure);
    }

    /** Whether it was sealed for another address than the one it lies on. */
    boolean isUnopenedForItsAddress() {
        return failure != null && failure.cause().equals(OpenFailure.ADDRESS_MISMATCH.name());
    }

    List<String> lines(int number) {
        List<String> lines = new ArrayList<>();
        lines.add("message " + number);
        line(lines, "id", headers.id());
        line(lines, "sent", headers.sent());
        line(lines, "correlation", headers.correlation());
        headers.properties().forEach((name, value) -> line(lines, "property", name + "=" + value));
        if (failure != null) {
            line(lines, "not opened", failure.reason());
        }
        if (protection != null) {
            line(lines, "quality", protection.quality());
            line(lines, "signer", protection.signer());
            line(lines, "sender", protection.sender());
            line(lines, "sealed for", protection.address());
        }
        if (payload != null) {
            line(lines, "payload", payload.summary());
            payload.lines().forEach(text -> lines.add("    " + text));
        }
        return lines;
    }

    private static void line(List<String> lines, String label, @Nullable Object value) {
        if (value != null) {
            lines.add("  %-11s %s".formatted(label, Failures.oneLine(value.toString())));
        }
    }

    ObjectNode json() {
        ObjectNode json = Json.object()
                .put("id", headers.id())
                .put("sent", headers.sent() == null ? null : headers.sent().toString())
                .put("correlation-id", headers.correlation());
        ObjectNode values = json.putObject("properties");
        headers.properties().forEach((name, value) -> put(values, name, value));
        json.put("quality", protection == null ? null : protection.quality())
                .put("signer", protection == null ? null : protection.signer())
                .put("sender", protection == null ? null : protection.sender())
                .put("sealed-for", protection == null ? null : protection.address());
        json.set("payload", payload == null ? null : payload.json());
        if (failure == null) {
            json.putNull("failure");
        } else {
            json.putObject("failure").put("cause", failure.cause()).put("reason", failure.reason());
        }
        return json;
    }

    private static void put(ObjectNode json, String name, Object value) {
        if (value instanceof Boolean flag) {
            json.put(name, flag);
        } else if (value instanceof Float || value instanceof Double) {
            json.put(name, ((Number) value).doubleValue());
        } else if (value instanceof Number number) {
            json.put(name, number.longValue());
        } else {
            json.put(name, value.toString());
        }
    }
}
