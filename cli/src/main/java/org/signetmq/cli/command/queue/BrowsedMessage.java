/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.queue;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.client.MessageOpenException;
import org.signetmq.client.OpenFailure;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.policy.QualityOfProtection;

/**
 * A message on a queue, as it is shown. The components have the names of the JSON keys; null stands for an unknown
 * value.
 *
 * @param sent in ISO 8601
 * @param correlationId a text, or bytes as base64
 * @param sealedFor the address that it was sealed for, if it lies on another
 * @param payload null if the message cannot be opened
 * @param failure why it cannot be opened; null if it can
 */
record BrowsedMessage(
        @Nullable String id,
        @Nullable String sent,
        @Nullable String correlationId,
        Map<String, Object> properties,
        @Nullable String quality,
        @Nullable String signer,
        @Nullable String sender,
        @Nullable String sealedFor,
        @Nullable BrowsedPayload payload,
        @Nullable Failure failure) {
    /** The reason for which a message cannot be opened. */
    record Failure(String cause, String reason) {
        private static Failure of(MessageOpenException e) {
            return new Failure(e.failure().name(), Failures.inWords(e));
        }
    }

    static BrowsedMessage opened(Message message, int mostPayload) throws JMSException {
        try {
            return of(message, BrowsedPayload.of(message, mostPayload), null);
        } catch (MessageOpenException e) { // the beginning of a large message was right
            return of(message, null, Failure.of(e));
        }
    }

    static BrowsedMessage closed(MessageOpenException e) throws JMSException {
        return e.arrived().isPresent()
                ? of(e.arrived().get(), null, Failure.of(e))
                : new BrowsedMessage(null, null, null, Map.of(), null, null, null, null, null, Failure.of(e));
    }

    private static BrowsedMessage of(Message message, @Nullable BrowsedPayload payload, @Nullable Failure failure)
            throws JMSException {
        long sent = message.getJMSTimestamp();
        byte[] correlation = message.getJMSCorrelationIDAsBytes();
        boolean opened = failure == null;
        return new BrowsedMessage(
                message.getJMSMessageID(),
                sent == 0 ? null : Instant.ofEpochMilli(sent).toString(),
                correlation == null ? message.getJMSCorrelationID() : AmqpText.of(correlation),
                properties(message),
                opened ? quality(message) : null,
                opened ? message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY) : null,
                opened ? message.getStringProperty(SignetConnectionFactory.SENDER_PROPERTY) : null,
                opened ? message.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY) : null,
                payload,
                failure);
    }

    /** Returns the quality; a message that no policy covers has no property for it. */
    private static String quality(Message message) throws JMSException {
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        return quality == null ? QualityOfProtection.NONE.label() : quality;
    }

    @SuppressWarnings("unchecked") // names are raw in JMS
    private static Map<String, Object> properties(Message message) throws JMSException {
        Map<String, Object> properties = new TreeMap<>();
        for (Object name : Collections.list(message.getPropertyNames())) {
            Object value = message.getObjectProperty((String) name);
            if (value != null && !((String) name).startsWith("JMS_Signet_")) {
                boolean plain = value instanceof Number || value instanceof Boolean;
                properties.put((String) name, plain ? value : AmqpText.of(value));
            }
        }
        return properties;
    }

    /** Whether the message was sealed for another address than the one that it lies on, and so was not opened. */
    boolean isSealedForAnotherAddress() {
        return failure != null && failure.cause().equals(OpenFailure.ADDRESS_MISMATCH.name());
    }

    /** Returns lines for people. Control characters in them are blanks. */
    List<String> lines(int number) {
        LabelledLines lines = new LabelledLines(13)
                .addAll(List.of("message " + number))
                .add("  id", id)
                .add("  sent", sent)
                .add("  correlation", correlationId);
        properties.forEach((name, value) -> lines.add("  property", name + "=" + value));
        lines.add("  not opened", failure == null ? null : failure.reason())
                .add("  quality", quality)
                .add("  signer", signer)
                .add("  sender", sender)
                .add("  sealed for", sealedFor);
        if (payload != null) {
            lines.add("  payload", payload.summary())
                    .addAll(payload.lines().stream().map(text -> "    " + text).toList());
        }
        return lines.lines().stream().map(Failures::printable).toList();
    }
}
