/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.CauseLimits;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.log.RejectionLog;
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
    private static final Broker NONE = new Broker("", (event, line) -> {});

    private final Clock clock;
    private final AuditTail tail = new AuditTail();
    private final CauseLimits rejections;
    private volatile Broker broker = NONE;

    /** The broker of the plugin. */
    private record Broker(String name, AuditListener listener) {}

    public AuditLog(Clock clock) {
        this.clock = clock;
        this.rejections = new CauseLimits(clock);
        // loads the classes of a line while there is memory
        var unused = new AuditLine(clock.instant(), AuditEvent.STARTED, "").format();
    }

    /**
     * Names the broker in further lines.
     *
     * @param listener receives the further lines, except those about sealed messages
     */
    public void begin(String name, AuditListener listener) {
        broker = new Broker(name, listener);
    }

    /** Ends the calls to the listener. */
    public void end() {
        broker = new Broker(broker.name(), NONE.listener());
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
        write(AuditEvent.POLICIES_CHANGED, line -> {
            line.put("restored", "lost policies");
            write(line, before, after, author);
        });
    }

    private static void write(AuditLine line, PolicySet before, PolicySet after, Author author) {
        line.put("by", author.by())
                .put("from", author.from())
                .put("version", after.version())
                .put("before", before.version());
        ChangedPolicies.write(line, before, after);
    }

    /**
     * Records the changed entries of a folder of the home.
     *
     * @param before the entries by name: certificates, or the states of files
     * @param after the entries of the same kind now
     */
    public void folderChanged(AuditedFolder folder, Map<String, ?> before, Map<String, ?> after) {
        write(folder.event(), line -> {
            line.put("folder", folder.label());
            EntryDifference.write(line, before, after);
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
        return line.put("by", author.by())
                .put("from", author.from())
                .put("address", queue.address())
                .put("queue", queue.queue())
                .put("messages", queue.messages());
    }

    /**
     * A rejected message.
     *
     * @param address its address, or null
     * @param user the name of the sender, or null
     * @param from the remote address of the sender, or null
     */
    public record Rejected(
            @Nullable String address,
            @Nullable String user,
            @Nullable String from) {}

    /**
     * Records a rejected message, at most one for each cause in ten seconds.
     *
     * @param cause the key of the limit: the reason without the names of this message
     */
    public void messageRejected(RejectionReason reason, String cause, Rejected message, String text) {
        long omitted = rejections.turn(reason.label() + ' ' + RejectionLog.oneLine(cause));
        if (omitted >= 0) {
            write(
                    AuditEvent.MESSAGE_REJECTED,
                    line -> line.put("reason", reason.label())
                            .put("address", message.address())
                            .put("user", message.user())
                            .put("from", message.from())
                            .put("text", text)
                            .put("left-out", omitted));
        }
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
        return "{\"lines\":[" + String.join(",", tail.newest(count)) + "]}";
    }

    /** Adds the keys of an event to its line. */
    @FunctionalInterface
    private interface Content {
        void addTo(AuditLine line);
    }

    private void write(AuditEvent event, Content content) {
        try {
            Broker now = broker;
            AuditLine line = new AuditLine(clock.instant(), event, now.name());
            content.addTo(line);
            String text = line.format();
            tail.add(text);
            LOG.info("{}", text);
            ObjectNode json = line.json();
            now.listener().wrote(event, json);
        } catch (Throwable unwritten) {
            failed(unwritten);
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
}
