/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Logs rejections: one line for each cause in ten seconds, so that senders cannot fill the log. Thread-safe. */
public final class RejectionLog {
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int LONGEST = 200;

    /** Senders can choose parts of a cause, such as a name: further causes share one limit. */
    static final int MOST_CAUSES = 16;

    private static final String OTHERS = "";

    private final Clock clock;
    private final String what;
    private final Map<String, Said> causes = new HashMap<>(); // guarded by itself

    /** When a cause may be said again, and how often it was not since. */
    private static final class Said {
        private Instant next = Instant.MIN;
        private long unsaid;
    }

    /**
     * A log that has said nothing.
     *
     * @param what begins each line
     */
    public RejectionLog(Clock clock, String what) {
        this.clock = clock;
        this.what = what;
    }

    /**
     * Says why something was rejected, unless the same was said a moment ago.
     *
     * @param cause the text to limit by: the reason without the names of this message
     * @param message the address and user of the message
     */
    public void say(String cause, Subject message, String reason) {
        long unsaid = turn(oneLine(cause));
        if (unsaid >= 0) {
            PluginLog.LOG.warn(
                    "{}: address {}, user {}: {} ({} before it were not logged)",
                    what,
                    oneLine(message.address()),
                    oneLine(message.user()),
                    oneLine(reason),
                    unsaid);
        }
    }

    /** The subject of a line. */
    public record Subject(
            @Nullable String address, @Nullable String user) {}

    /** How often the cause was not said since it was last; -1 if it is not to be said now. */
    private long turn(String cause) {
        Instant now = clock.instant();
        synchronized (causes) {
            Said said = causes.get(cause);
            if (said == null) {
                said = causes.computeIfAbsent(hasRoom(now) ? cause : OTHERS, fresh -> new Said());
            }
            if (now.isBefore(said.next)) {
                said.unsaid++;
                return -1;
            }
            long unsaid = said.unsaid;
            said.unsaid = 0;
            said.next = now.plus(PAUSE);
            return unsaid;
        }
    }

    /** Forgets causes that may be said again and left nothing unsaid, if there is no room otherwise. */
    private boolean hasRoom(Instant now) {
        if (causes.size() >= MOST_CAUSES) {
            causes.values().removeIf(said -> said.unsaid == 0 && !now.isBefore(said.next));
        }
        if (causes.size() >= MOST_CAUSES) {
            // of the oldest the count is lost, and not the limit
            causes.values().removeIf(said -> !now.isBefore(said.next.plus(PAUSE)));
        }
        return causes.size() < MOST_CAUSES;
    }

    /** Names come from clients: they start no line of their own and are not long. */
    public static String oneLine(@Nullable String text) {
        if (text == null) {
            return "-";
        }
        return printable(text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text);
    }

    /** The text without characters that break a line or steer a terminal. */
    public static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
