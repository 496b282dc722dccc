/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;

/**
 * Logs rejections, at most one line for each cause in ten seconds, so that senders cannot fill the log. Thread-safe.
 */
public final class RejectionLog {
    private final String title;
    private final Limits limits;

    /**
     * Makes a log.
     *
     * @param title the beginning of each line
     */
    public RejectionLog(Clock clock, String title) {
        this.title = title;
        this.limits = new Limits(clock);
    }

    /**
     * Logs a rejection, unless the log had a line with the same cause shortly before.
     *
     * @param cause the key of the limit: the reason without the names of this message
     * @param message the address and user of the message
     */
    public void say(String cause, Subject message, String reason) {
        long omitted = limits.turn(PrintableText.of(cause, PrintableText.LONGEST_NAME));
        if (omitted >= 0) {
            PluginLog.LOG.warn(
                    "{}: address {}, user {}: {} ({} before it were not logged)",
                    title,
                    PrintableText.word(message.address()),
                    PrintableText.word(message.user()),
                    PrintableText.of(reason, PrintableText.LONGEST_NAME).replace('"', '\''),
                    omitted);
        }
    }

    /**
     * Logs an unexpected failure, unless the log had a line with the same failure from the same place shortly before.
     * The text of the failure may contain secrets, so the line does not have it.
     *
     * @param doing words for what failed
     */
    public void sayUnexpected(Throwable failure, String doing) {
        StackTraceElement[] trace = failure.getStackTrace();
        String origin = trace.length == 0 ? "an unknown place" : trace[0].toString();
        String name = failure.getClass().getName();
        long omitted = limits.turn("unexpected " + name + doing + origin);
        if (omitted >= 0) {
            PluginLog.LOG.error(
                    "unexpected {} {}, thrown at {} ({} before it were not logged)", name, doing, origin, omitted);
        }
    }

    /**
     * A rejected message.
     *
     * @param address its address, or null
     * @param user the name of the sender, or null
     * @param from the remote address of the sender, or null
     */
    public record Subject(
            @Nullable String address,
            @Nullable String user,
            @Nullable String from) {}

    /**
     * Limits lines about messages to one for each cause in ten seconds, so that senders cannot fill a log. Thread-safe.
     */
    public static final class Limits {
        private static final Duration PAUSE = Duration.ofSeconds(10);

        /**
         * The largest number of causes with their own limit. Senders can choose parts of a cause, so others share one.
         */
        static final int MOST_CAUSES = 16;

        private static final String OTHERS = "";

        private final Clock clock;
        private final Map<String, Limit> causes = new HashMap<>(); // guarded by itself

        /** The time of the next line about a cause, and the number of lines that were left out since the last one. */
        private static final class Limit {
            private Instant next = Instant.MIN;
            private long omitted;
        }

        public Limits(Clock clock) {
            this.clock = clock;
        }

        /**
         * Returns the number of lines that were left out for the cause since its last one; -1 to leave this one out.
         */
        public long turn(String cause) {
            Instant now = clock.instant();
            synchronized (causes) {
                Limit limit = causes.get(cause);
                if (limit == null) {
                    limit = causes.computeIfAbsent(hasCapacity(now) ? cause : OTHERS, fresh -> new Limit());
                }
                if (now.isBefore(limit.next)) {
                    limit.omitted++;
                    return -1;
                }
                long omitted = limit.omitted;
                limit.omitted = 0;
                limit.next = now.plus(PAUSE);
                return omitted;
            }
        }

        /** Returns whether another cause fits, after it forgot causes whose limit has expired. */
        private boolean hasCapacity(Instant now) {
            if (causes.size() >= MOST_CAUSES) {
                causes.values().removeIf(limit -> limit.omitted == 0 && !now.isBefore(limit.next));
            }
            if (causes.size() >= MOST_CAUSES) {
                // the counts of the oldest causes are lost, their limits are not
                causes.values().removeIf(limit -> !now.isBefore(limit.next.plus(PAUSE)));
            }
            return causes.size() < MOST_CAUSES;
        }
    }
}
