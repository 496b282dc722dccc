/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.concurrent.atomic.LongAdder;

/** What became of messages. Thread-safe. */
final class Counters {
    private final LongAdder sealed = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    void countSealed() {
        sealed.increment();
    }

    void countPassed() {
        passed.increment();
    }

    void countRejected() {
        rejected.increment();
    }

    /** How things stand, with these counts. */
    PluginStatus status(Readiness readiness) {
        if (readiness instanceof Readiness.Ready ready) {
            return new PluginStatus(
                    PluginState.READY,
                    null,
                    ready.policies().version(),
                    ready.policyProblem(),
                    sealed.sum(),
                    passed.sum(),
                    rejected.sum(),
                    ready.home().protector().dryTakes());
        }
        String reason = readiness instanceof Readiness.Refusing refusing ? refusing.reason() : null;
        return new PluginStatus(PluginState.FAILED, reason, 0, null, sealed.sum(), passed.sum(), rejected.sum(), 0);
    }
}
