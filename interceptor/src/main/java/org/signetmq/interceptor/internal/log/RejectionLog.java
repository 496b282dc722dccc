/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logs rejections, at most one line for each cause in ten seconds, so that senders cannot fill the log. Thread-safe.
 */
public final class RejectionLog {
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int LONGEST = 200;

    /** The largest number of causes with their own limit. Senders can choose parts of a cause, so others share one. */
    static final int MOST_CAUSES = 16;

    private static final String OTHERS = "";

    private final Clock clock;
    private final String title;
    private final Map<String, CauseLimit> causes = new HashMap<>(); // guarded by itself

    /** The time of the next line about a cause, and the number of lines that were left out since the last one. */
    private static final class CauseLimit {
        private Instant next = Instant.MIN;
        private long omitted;
    }

    /**
     * Makes a log.
     *
     * @param title the beginning of each line
     */
    public RejectionLog(Clock clock, String title) {
        this.clock = clock;
        this.title = title;
    }

    /**
     * Logs a rejection, unless the log had a line with the same cause shortly before.
     *
     * @param cause the key of the limit: the reason without the names of this message
     * @param message the address and user of the message
     */
    public void say(String cause, Subject message, String reason) {
        long omitted = turn(oneLine(cause));
        if (omitted >= 0) {
            PluginLog.LOG.warn(
                    "{}: address {}, user {}: {} ({} before it were not logged)",
                    title,
                    oneLine(message.address()),
                    oneLine(message.user()),
                    oneLine(reason),
                    omitted);
        }
    }

    /** The address and the user of a rejected message. */
    public record Subject(
            @Nullable String address, @Nullable String user) {}

    /** Returns the number of lines that were left out for the cause since its last one; -1 to leave this one out. */
    private long turn(String cause) {
        Instant now = clock.instant();
        synchronized (causes) {
            CauseLimit limit = causes.get(cause);
            if (limit == null) {
                limit = causes.computeIfAbsent(hasCapacity(now) ? cause : OTHERS, fresh -> new CauseLimit());
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

    /** Returns the text for one line of the log, because clients choose names: without line breaks, and not long. */
    public static String oneLine(@Nullable String text) {
        if (text == null) {
            return "-";
        }
        return printable(text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text);
    }

    /** Returns the text without control characters. */
    public static String printable(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }
}
