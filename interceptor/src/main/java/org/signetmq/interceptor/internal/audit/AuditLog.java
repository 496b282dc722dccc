/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.log.RejectionLog;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the lines of the audit log, and keeps the newest ones. No method throws an exception, because a message or a
 * change must not fail by its record. No line contains a payload, a password or a key. Thread-safe.
 */
public final class AuditLog {
    /** The name of the logger. */
    public static final String LOGGER = "org.signetmq.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** The greatest number of lines in memory. */
    static final int MOST_LINES = 200;

    /** The greatest length of all lines in memory together, in characters. */
    static final int MOST_CHARACTERS = 64 << 10;

    private final Clock clock;
    private final Deque<String> tail = new ArrayDeque<>(); // guarded by itself
    private int characters; // guarded by tail
    private final RejectionLog.Limits rejections;
    private volatile Broker broker = new Broker("", (event, line) -> {});

    /** Receives the lines of the audit log, except those about sealed messages. */
    @FunctionalInterface
    public interface Listener {
        /** Takes a line. It must return at once, and must not change the line. */
        void wrote(AuditEvent event, ObjectNode line);
    }

    /** The broker of the plugin. */
    private record Broker(String name, Listener listener) {}

    public AuditLog(Clock clock) {
        this.clock = clock;
        this.rejections = new RejectionLog.Limits(clock);
        // loads the classes of a line while there is memory
        var unused = new AuditLine(clock.instant(), AuditEvent.STARTED, "").format();
    }

    /**
     * Names the broker in further lines.
     *
     * @param listener receives the further lines, except those about sealed messages
     */
    public void begin(String name, Listener listener) {
        broker = new Broker(name, listener);
    }

    /** Ends the calls to the listener. */
    public void end() {
        broker = new Broker(broker.name(), (event, line) -> {});
    }

    /** Records that the plugin began to protect messages with these policies. */
    public void started(PolicySet policies) {
        write(
                AuditEvent.STARTED,
                line -> line.put("version", policies.version())
                        .put("policies", policies.policies().size()));
    }

    /**
     * Records that other policies came into force.
     *
     * @param before the policies that were in force
     * @param after the policies that are in force now
     */
    public void policiesChanged(PolicySet before, PolicySet after, Author author) {
        write(AuditEvent.POLICIES_CHANGED, line -> write(line, before, after, author));
    }

    /** Records that an administrator put policies in place of lost ones, whose version alone is known. */
    public void policiesRestored(PolicySet before, PolicySet after, Author author) {
        write(AuditEvent.POLICIES_CHANGED, line -> write(line.put("restored", "lost policies"), before, after, author));
    }

    private static void write(AuditLine line, PolicySet before, PolicySet after, Author author) {
        line.put(author)
                .put("version", after.version())
                .put("before", before.version())
                .putPolicies(before, after);
    }

    /**
     * Records that a user without the right called an operation that changes policies, at most once for each user in
     * ten seconds.
     */
    public void changeRefused(Author author, String operation) {
        long omitted = rejections.turn(
                AuditEvent.CHANGE_REFUSED.label() + ' ' + PrintableText.of(author.by(), PrintableText.LONGEST_NAME));
        if (omitted >= 0) {
            write(
                    AuditEvent.CHANGE_REFUSED,
                    line -> line.put(author).put("operation", operation).put("left-out", omitted));
        }
    }

    /**
     * Records the changed entries of a folder of the home.
     *
     * @param before the entries by name: certificates, or the states of files
     * @param after the entries of the same kind now
     */
    public void folderChanged(AuditedFolder folder, Map<String, ?> before, Map<String, ?> after) {
        write(folder.event, line -> {
            line.put("folder", folder.label());
            line.putFolder(before, after);
        });
    }

    /**
     * A queue whose messages an administrator has sealed.
     *
     * @param messages the number of its messages at the beginning
     */
    public record SealedQueue(String address, String queue, long messages) {}

    /** Records that an administrator begins to seal the messages of a queue. */
    public void sealingBegun(SealedQueue queue, Author author) {
        write(AuditEvent.QUEUE_SEALED, line -> write(line, queue, author));
    }

    /** Records the number of sealed messages when none of a queue is left to look at. */
    public void sealingEnded(SealedQueue queue, Author author, long sealed) {
        write(AuditEvent.QUEUE_SEALED, line -> write(line, queue, author).put("sealed", sealed));
    }

    private static AuditLine write(AuditLine line, SealedQueue queue, Author author) {
        return line.put(author)
                .put("address", queue.address())
                .put("queue", queue.queue())
                .put("messages", queue.messages());
    }

    /**
     * Records a rejected message, at most one for each cause in ten seconds.
     *
     * @param cause the key of the limit: the reason without the names of this message
     */
    public void messageRejected(RejectionReason reason, String cause, RejectionLog.Subject message, String text) {
        write(AuditEvent.MESSAGE_REJECTED, reason, cause, message, text);
    }

    /** Records a message that the broker moved, and that went into quarantine; limited as a rejected one. */
    public void messageQuarantined(RejectionReason reason, String cause, RejectionLog.Subject message, String text) {
        write(AuditEvent.MESSAGE_QUARANTINED, reason, cause, message, text);
    }

    private void write(
            AuditEvent event, RejectionReason reason, String cause, RejectionLog.Subject message, String text) {
        long omitted = rejections.turn(
                event.label() + ' ' + reason.label() + ' ' + PrintableText.of(cause, PrintableText.LONGEST_NAME));
        if (omitted >= 0) {
            write(
                    event,
                    line -> line.put("reason", reason.label())
                            .put("address", message.address())
                            .put("user", message.user())
                            .put("from", message.from())
                            .put("text", text)
                            .put("left-out", omitted));
        }
    }

    /**
     * A message that an administrator takes out of quarantine, or reads.
     *
     * @param action {@code retry}, {@code export} or {@code discard}
     * @param address the address at which the message lay before, as its note says
     * @param sha256 the digest of its body in hex; null if the body has another form
     */
    public record Quarantined(
            String action,
            long message,
            @Nullable String reason,
            @Nullable String address,
            @Nullable String queue,
            @Nullable String sha256) {}

    /** Records what an administrator does with a message in quarantine. */
    public void quarantineUsed(Quarantined message, Author author) {
        write(
                AuditEvent.QUARANTINE_USED,
                line -> line.put(author)
                        .put("action", message.action())
                        .put("message", message.message())
                        .put("reason", message.reason())
                        .put("address", message.address())
                        .put("queue", message.queue())
                        .put("sha256", message.sha256()));
    }

    /** Records a sealed message. Its line is only in the log, so that the tail keeps the rare lines. */
    public void messageSealed(SealedMessage message) {
        try {
            if (LOG.isInfoEnabled()) {
                AuditLine line = new AuditLine(clock.instant(), AuditEvent.MESSAGE_SEALED, broker.name());
                line.put("message-id", message.messageId())
                        .put("sha256", message.sha256())
                        .put("address", message.address())
                        .put("sender", message.sender())
                        .put("policy", message.policy().reference())
                        .putTexts(
                                "recipients",
                                message.policy().policy().encryption().recipients());
                LOG.info("{}", line.format());
            }
        } catch (Throwable unwritten) {
            failed(unwritten);
        }
    }

    /**
     * Returns the newest lines of the log, except those about sealed messages, as a JSON object with the list
     * {@code lines}. The newest line is the last.
     *
     * @param count the greatest number of lines; the log keeps at most 200
     */
    public String tail(int count) {
        synchronized (tail) {
            return tail.stream()
                    .skip(Math.max(0, tail.size() - Math.max(0, count)))
                    .collect(Collectors.joining(",", "{\"lines\":[", "]}"));
        }
    }

    private void write(AuditEvent event, Consumer<AuditLine> content) {
        try {
            Broker now = broker;
            AuditLine line = new AuditLine(clock.instant(), event, now.name());
            content.accept(line);
            String text = line.format();
            keep(text);
            LOG.info("{}", text);
            now.listener().wrote(event, line.json());
        } catch (Throwable unwritten) {
            failed(unwritten);
        }
    }

    private void keep(String line) {
        synchronized (tail) {
            tail.addLast(line);
            characters += line.length();
            while (tail.size() > MOST_LINES || characters > MOST_CHARACTERS) {
                characters -= tail.removeFirst().length();
            }
        }
    }

    private static void failed(Throwable problem) {
        try {
            PluginLog.LOG.error(
                    "an audit line could not be written: {}", problem.getClass().getName());
        } catch (Throwable unsaid) {
            // the message or the change takes effect nevertheless
        }
    }

    /** The folders of a home whose changes the plugin audits. */
    public enum AuditedFolder {
        /** The identities that the plugin has loaded. */
        IDENTITIES(AuditEvent.KEYS_CHANGED),
        /** The certificates of recipients and known signers. */
        RECIPIENTS(AuditEvent.KEYS_CHANGED),
        /** The trusted certificates. */
        TRUST(AuditEvent.TRUST_CHANGED),
        /** The files of revocation lists. */
        CRL(AuditEvent.TRUST_CHANGED),
        /** The files of OCSP answers. */
        OCSP(AuditEvent.TRUST_CHANGED),
        /** The home itself, with {@code trust.json}. */
        HOME(AuditEvent.TRUST_CHANGED);

        private final AuditEvent event;

        AuditedFolder(AuditEvent event) {
            this.event = event;
        }

        /** Returns the name of the folder in the home. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A message that the plugin sealed.
     *
     * @param messageId the Message-ID inside its envelope
     * @param sha256 the digest of the whole sealed body in hex, by which anybody finds the envelope without a key
     * @param address the address it was sealed for
     * @param sender the authenticated user, or null
     * @param policy the policy that was applied
     */
    public record SealedMessage(
            String messageId,
            String sha256,
            String address,
            @Nullable String sender,
            EffectivePolicy policy) {}

    /**
     * The author of a change.
     *
     * @param by the user, or {@code file} for an edited file; null if unknown
     * @param from the remote address of the user, or {@code jmx}; null if unknown
     */
    public record Author(@Nullable String by, @Nullable String from) {
        /** The author of a change that the plugin found in the policy file. Only the file system may know the user. */
        public static final Author FILE = new Author("file", null);
    }

    /** The events of the audit log. */
    public enum AuditEvent {
        /** The plugin began to protect messages. */
        STARTED,
        /** Other policies came into force. */
        POLICIES_CHANGED,
        /** A user without the right tried to change policies, or the certificates that they bring. */
        CHANGE_REFUSED,
        /** An identity or a recipient was added, removed or replaced. */
        KEYS_CHANGED,
        /** A trusted certificate or a revocation list was added, removed or replaced. */
        TRUST_CHANGED,
        /** An administrator began to seal the messages of a queue, or all of them were looked at. */
        QUEUE_SEALED,
        /** An administrator retried, exported or discarded a message in quarantine. */
        QUARANTINE_USED,
        /** The plugin put a message into quarantine that the broker moved. */
        MESSAGE_QUARANTINED,
        /** The plugin rejected a message. */
        MESSAGE_REJECTED,
        /** The plugin sealed a message whose policy audits each one. */
        MESSAGE_SEALED;

        /** Returns the name in a line. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
