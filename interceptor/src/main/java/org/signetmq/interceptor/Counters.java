/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What became of messages. Thread-safe. */
final class Counters {
    private final LongAdder sealed = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder unjudged = new LongAdder();

    void countSealed() {
        sealed.increment();
    }

    void countPassed() {
        passed.increment();
    }

    void countRejected() {
        rejected.increment();
    }

    /** Counts a message in clear that came to the storage of a protected address without having been judged. */
    void countUnjudged() {
        unjudged.increment();
    }

    /**
     * How things stand, with these counts.
     *
     * @param largeProblem why large messages are refused, or null
     */
    PluginStatus status(Readiness readiness, @Nullable String largeProblem) {
        PluginStatus.LargeMessages large = new PluginStatus.LargeMessages(
                largeProblem == null ? LargeMessageMode.PROTECTED : LargeMessageMode.REFUSED, largeProblem);
        if (readiness instanceof Readiness.Ready ready) {
            return new PluginStatus(
                    PluginState.READY,
                    null,
                    ready.policies().version(),
                    ready.policyProblem(),
                    large,
                    counts(ready.home().protector().dryTakes()));
        }
        String reason = readiness instanceof Readiness.Refusing refusing ? refusing.reason() : null;
        return new PluginStatus(PluginState.FAILED, reason, 0, null, large, counts(0));
    }

    private PluginStatus.Counts counts(long keyWaits) {
        return new PluginStatus.Counts(sealed.sum(), passed.sum(), rejected.sum(), unjudged.sum(), keyWaits);
    }
}
