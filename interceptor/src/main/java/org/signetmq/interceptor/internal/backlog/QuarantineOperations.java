/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.control.ControlAnswers;
import org.signetmq.interceptor.internal.gate.MessageGate;
import org.signetmq.interceptor.internal.gate.Quarantine;
import org.signetmq.interceptor.internal.large.StoredBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.PrintableText;

/**
 * Answers the operations of the control for messages in quarantine, by JSON. All texts of a note are claims: consumers,
 * and all others that may send there, write them. Thread-safe.
 */
public record QuarantineOperations(ActiveMQServer server, MessageGate gate, Authority authority, AuditLog audit) {
    /** The greatest number of messages in an answer or a request. */
    private static final int MOST = 100;

    /** The length after which an answer takes no further message, in characters. */
    private static final int LONG_ANSWER = 30_000;

    /** The longest text of a stranger in an answer, in characters. */
    private static final int LONGEST_TEXT = 200;

    /** The greatest number of properties of a message in an answer. */
    private static final int MOST_PROPERTIES = 100;

    /** The greatest number of bytes in a part of an export. */
    private static final int LONGEST_PART = 21_000;

    /** The greatest length of a body that is described as a whole, in bytes. */
    private static final int MOST_DESCRIBED = 4 << 20;

    /** The time after which an operation begins with no further message. The client waits for its answer. */
    private static final long LONG_STEP = TimeUnit.SECONDS.toNanos(5);

    /** Returns the number of messages in all quarantines. The caller has checked the right to see it. */
    public long messages() {
        return gate.quarantine().messages();
    }

    /** A message in its queue of a quarantine. */
    private record Found(Queue queue, MessageReference reference) {
        Message message() {
            return reference.getMessage();
        }

        @Nullable
        String note(String property) {
            Object value = message().getObjectProperty(property);
            return value == null ? null : value.toString();
        }
    }

    /**
     * Lists messages. Each filter is a text, or empty for any.
     *
     * @param offset the number of messages to pass over, as the answer before said
     */
    public synchronized String listQuarantine(String reason, String address, String queue, int offset) {
        authority.requireView("listQuarantine");
        ObjectNode answer = ControlAnswers.empty();
        ArrayNode queues = answer.putArray("queues");
        ArrayNode messages = answer.putArray("messages");
        long end = System.nanoTime() + LONG_STEP;
        int position = 0;
        int length = 0;
        for (Queue each : gate.quarantine().queues()) {
            queues.addObject()
                    .put("address", each.getAddress().toString())
                    .put("queue", each.getName().toString())
                    .put("messages", each.getMessageCount());
        }
        for (Queue each : gate.quarantine().queues()) {
            try (QueueWalk walk = QueueWalk.of(each)) {
                for (MessageReference next = walk.next(); next != null; next = walk.next()) {
                    if (position++ < offset) {
                        continue;
                    }
                    if (messages.size() >= MOST || length > LONG_ANSWER || System.nanoTime() - end > 0) {
                        return answer.put("next", position - 1).toString();
                    }
                    Found found = new Found(each, next);
                    if (matches(found, QuarantineNote.REASON, reason)
                            && matches(found, QuarantineNote.ADDRESS, address)
                            && matches(found, QuarantineNote.QUEUE, queue)) {
                        ObjectNode entry = entry(found);
                        messages.add(entry);
                        length += entry.toString().length();
                    }
                }
            }
        }
        return answer.toString();
    }

    private static boolean matches(Found found, String property, String wanted) {
        return wanted.isEmpty() || wanted.equals(found.note(property));
    }

    private static ObjectNode entry(Found found) {
        ObjectNode entry = ControlAnswers.empty()
                .put("id", found.message().getMessageID())
                .put("quarantine", found.queue().getName().toString())
                .put("size", size(found.message()));
        for (String property : List.of(
                QuarantineNote.REASON,
                QuarantineNote.ADDRESS,
                QuarantineNote.QUEUE,
                QuarantineNote.MESSAGE,
                QuarantineNote.KEY,
                QuarantineNote.POLICY,
                QuarantineNote.EXPECTED,
                QuarantineNote.FOUND,
                QuarantineNote.SIGNER,
                QuarantineNote.CONSUMER)) {
            String value = found.note(property);
            if (value != null && !value.isEmpty()) {
                entry.put(property.substring(QuarantineNote.PREFIX.length()), PrintableText.of(value, LONGEST_TEXT));
            }
        }
        return entry.put("time", time(found));
    }

    /** Returns the time of the note, or else of the message, in milliseconds. */
    private static long time(Found found) {
        return found.message().getObjectProperty(QuarantineNote.TIME) instanceof Long noted
                ? noted
                : found.message().getTimestamp();
    }

    private static long size(Message message) {
        try {
            return message instanceof LargeServerMessage file
                    ? file.getLargeBody().getBodySize()
                    : message.getEncodeSize();
        } catch (Exception unreadable) {
            return -1;
        }
    }

    /** Returns a message with its properties, and what its envelope shows without a key. */
    public synchronized String queryQuarantined(long id) throws Exception {
        authority.requireView("queryQuarantined");
        Found found = required(id);
        ObjectNode answer = entry(found);
        ObjectNode properties = answer.putObject("properties");
        new TreeMap<>(found.message().toPropertyMap())
                .entrySet().stream()
                        .limit(MOST_PROPERTIES)
                        .forEach(property -> properties.put(
                                PrintableText.of(property.getKey(), LONGEST_TEXT),
                                PrintableText.of(String.valueOf(property.getValue()), LONGEST_TEXT)));
        try {
            describe(envelope(found.message()), answer.putObject("envelope"));
        } catch (Exception e) {
            answer.remove("envelope");
            answer.put("problem", PrintableText.of(String.valueOf(e.getMessage()), LONGEST_TEXT));
        }
        return answer.toString();
    }

    /** Returns the envelope of a message, or of its first segment. */
    private static byte[] envelope(Message message) throws Exception {
        if (message instanceof LargeServerMessage file) {
            byte[] first = StoredBody.firstEnvelope(file).orElse(null);
            if (first != null) {
                return first;
            }
        }
        try (InputStream body = Quarantine.body(message)) {
            return body.readNBytes(MOST_DESCRIBED);
        }
    }

    private static void describe(byte[] bytes, ObjectNode into) {
        EnvelopeDescription envelope = EnvelopeDescription.of(bytes);
        into.put("structure", envelope.structure()).put("quality", envelope.quality());
        if (envelope.contentAlgorithm() != null) {
            into.put("algorithm", envelope.contentAlgorithm());
        }
        envelope.signatureIfVisible()
                .ifPresent(signature -> into.put(
                                "signer", PrintableText.of(String.join(" and ", signature.identifiers()), LONGEST_TEXT))
                        .put("signature", signature.inWords()));
        ArrayNode recipients = into.putArray("recipients");
        envelope.recipients().stream()
                .limit(MOST)
                .forEach(recipient -> recipients
                        .addObject()
                        .put("identifier", PrintableText.of(recipient.identifier(), LONGEST_TEXT))
                        .put("key-encryption", PrintableText.of(recipient.keyEncryption(), LONGEST_TEXT)));
    }

    /** Returns a part of the bytes of a message, in base64. */
    public synchronized String exportQuarantined(long id, int offset) throws Exception {
        Author author = authority.requireEdit("exportQuarantined");
        if (offset < 0) {
            throw new IllegalArgumentException("offset " + offset + ": must not be below zero");
        }
        Found found = required(id);
        if (offset == 0) {
            audit.quarantineUsed(audited("export", found), author);
        }
        try (InputStream body = Quarantine.body(found.message())) {
            body.skipNBytes(offset);
            byte[] part = body.readNBytes(LONGEST_PART);
            return ControlAnswers.empty()
                    .put("offset", offset)
                    .put("bytes", Base64.getEncoder().encodeToString(part))
                    .put("more", body.read() >= 0)
                    .toString();
        }
    }

    /** Puts messages back under their addresses, each alone into its queue, in a transaction of its own. */
    public synchronized String retryQuarantined(String ids) throws Exception {
        Author author = authority.requireEdit("retryQuarantined");
        return each("retried", ids, found -> {
            AuditLog.Quarantined retried = audited("retry", found);
            retry(found);
            audit.quarantineUsed(retried, author);
        });
    }

    /** Deletes messages. */
    public synchronized String discardQuarantined(String ids) throws Exception {
        Author author = authority.requireEdit("discardQuarantined");
        return each("discarded", ids, found -> {
            AuditLog.Quarantined discarded = audited("discard", found);
            if (!found.queue().deleteReference(found.message().getMessageID())) {
                throw new MessageRejectedException("it has left the quarantine");
            }
            audit.quarantineUsed(discarded, author);
        });
    }

    /** Handles one message. Throws if it must stay. */
    @FunctionalInterface
    private interface Action {
        void on(Found found) throws Exception;
    }

    private String each(String done, String ids, Action action) throws Exception {
        Set<Long> wanted = ids(ids);
        ObjectNode answer = ControlAnswers.empty();
        ArrayNode handled = answer.putArray(done);
        ArrayNode left = answer.putArray("left");
        long end = System.nanoTime() + LONG_STEP;
        BacklogOperations.durably(server, () -> {
            for (Queue queue : gate.quarantine().queues()) {
                List<MessageReference> found = messages(queue).find(wanted::contains, MOST);
                for (MessageReference reference : found) {
                    long id = reference.getMessageID();
                    if (System.nanoTime() - end > 0 || !wanted.remove(id)) {
                        continue;
                    }
                    try {
                        action.on(new Found(queue, reference));
                        handled.add(id);
                    } catch (Exception e) {
                        leave(left, id, String.valueOf(e.getMessage()));
                    }
                }
            }
        });
        boolean late = System.nanoTime() - end > 0;
        ArrayNode later = answer.putArray("later");
        for (long id : wanted) {
            if (late) {
                later.add(id);
            } else {
                leave(
                        left,
                        id,
                        "no such message is in memory: it has left the quarantine, is with a consumer,"
                                + " or lies in a page until others have left");
            }
        }
        return answer.toString();
    }

    private static void leave(ArrayNode left, long id, String reason) {
        left.addObject().put("id", id).put("reason", PrintableText.of(reason, LONGEST_TEXT));
    }

    private static Set<Long> ids(String text) {
        try {
            Set<Long> ids = new LinkedHashSet<>();
            if (text.length() <= LONG_ANSWER) {
                Stream.of(text.strip().split("\\s+")).map(Long::valueOf).forEach(ids::add);
            }
            if (!ids.isEmpty() && ids.size() <= MOST) {
                return ids;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "identifiers: write from 1 to " + MOST + " numbers with blanks between them");
    }

    private QueueMessages messages(Queue queue) {
        return new QueueMessages(server, queue, gate.backlog());
    }

    private Found required(long id) {
        for (Queue queue : gate.quarantine().queues()) {
            try (QueueWalk walk = QueueWalk.of(queue)) {
                for (MessageReference next = walk.next(); next != null; next = walk.next()) {
                    if (next.getMessageID() == id) {
                        return new Found(queue, next);
                    }
                }
            }
        }
        throw new IllegalArgumentException("message " + id + ": not in quarantine, or with a consumer");
    }

    private void retry(Found found) throws Exception {
        String address = found.note(QuarantineNote.ADDRESS);
        if (address == null || address.isEmpty()) {
            throw new MessageRejectedException("it has no note of its address");
        }
        if ("unprotected".equals(found.note(QuarantineNote.REASON))) {
            throw new MessageRejectedException("it arrived in clear, and may be sealed for the quarantine alone");
        }
        SimpleString back = SimpleString.of(address);
        Queue target = target(back, found.note(QuarantineNote.QUEUE));
        QueueMessages.Outcome outcome = messages(found.queue())
                .replace(
                        List.of(found.reference()),
                        message -> {
                            Message copy = gate.backlog()
                                    .returnedCopy(
                                            message, server.getStorageManager().generateID(), back);
                            forget(message, found.queue());
                            return copy;
                        },
                        target);
        for (Throwable reason : outcome.left().values()) {
            throw new MessageRejectedException(PrintableText.of(String.valueOf(reason.getMessage()), LONGEST_TEXT));
        }
        if (outcome.sealed() == 0) {
            throw new MessageRejectedException("it has left the quarantine");
        }
    }

    /** Forgets the duplicate identifier: if a consumer cannot open the message again, the same note must come again. */
    private void forget(Message message, Queue queue) throws Exception {
        byte[] id = message.getDuplicateIDBytes();
        if (id != null) {
            server.getPostOffice().getDuplicateIDCache(queue.getAddress()).deleteFromCache(id);
        }
    }

    /** Returns the queue of this name at an address, or the only one if the note names none. */
    private Queue target(SimpleString address, @Nullable String name) throws Exception {
        List<Queue> queues = server.getPostOffice().getMatchingBindings(address).stream()
                .filter(QueueBinding.class::isInstance)
                .map(binding -> ((QueueBinding) binding).getQueue())
                .filter(queue -> !queue.isInternalQueue())
                .toList();
        if (name == null || name.isEmpty()) {
            if (queues.size() == 1) {
                return queues.get(0);
            }
            throw new MessageRejectedException(
                    "its note names no queue, and its address has " + queues.size() + "; export it");
        }
        SimpleString wanted = CompositeAddress.extractQueueName(SimpleString.of(name));
        return queues.stream()
                .filter(queue -> queue.getName().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new MessageRejectedException("its queue " + PrintableText.word(name)
                        + " does not exist at its address; make it, or export the message"));
    }

    private static AuditLog.Quarantined audited(String action, Found found) {
        String sha256 = null;
        try {
            sha256 = HexFormat.of().formatHex(Quarantine.digest(found.message()));
        } catch (Exception unreadable) {
            // the line is without it
        }
        return new AuditLog.Quarantined(
                action,
                found.message().getMessageID(),
                found.note(QuarantineNote.REASON),
                found.note(QuarantineNote.ADDRESS),
                found.note(QuarantineNote.QUEUE),
                sha256);
    }
}
