/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log what became of messages, without letting senders fill it. Thread-safe. */
final class RejectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(SignetPlugin.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int LONGEST = 200;

    private final Clock clock;
    private final String what;
    private final AtomicReference<Instant> next = new AtomicReference<>(Instant.MIN);
    private final AtomicLong unsaid = new AtomicLong();

    /**
     * A log that has said nothing.
     *
     * @param what begins each line
     */
    RejectionLog(Clock clock, String what) {
        this.clock = clock;
        this.what = what;
    }

    void say(@Nullable String address, @Nullable String user, String reason) {
        Instant due = next.get();
        Instant now = clock.instant();
        if (now.isBefore(due) || !next.compareAndSet(due, now.plus(PAUSE))) {
            unsaid.incrementAndGet();
            return;
        }
        LOG.warn(
                "{}: address {}, user {}: {} ({} before it were not logged)",
                what,
                oneLine(address),
                oneLine(user),
                oneLine(reason),
                unsaid.getAndSet(0));
    }

    /** Names come from clients: they start no line of their own and are not long. */
    static String oneLine(@Nullable String text) {
        if (text == null) {
            return "-";
        }
        String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return shown.replaceAll("\\p{Cntrl}", "?");
    }
}
