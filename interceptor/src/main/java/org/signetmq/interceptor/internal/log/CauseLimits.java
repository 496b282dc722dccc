/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Limits lines about messages to one for each cause in ten seconds, so that senders cannot fill a log. Thread-safe. */
public final class CauseLimits {
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** The largest number of causes with their own limit. Senders can choose parts of a cause, so others share one. */
    static final int MOST_CAUSES = 16;

    private static final String OTHERS = "";

    private final Clock clock;
    private final Map<String, CauseLimit> causes = new HashMap<>(); // guarded by itself

    /** The time of the next line about a cause, and the number of lines that were left out since the last one. */
    private static final class CauseLimit {
        private Instant next = Instant.MIN;
        private long omitted;
    }

    public CauseLimits(Clock clock) {
        this.clock = clock;
    }

    /** Returns the number of lines that were left out for the cause since its last one; -1 to leave this one out. */
    public long turn(String cause) {
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
}
