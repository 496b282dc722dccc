/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.PolicyFinding;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus.LargeMessages.Mode;
import org.signetmq.interceptor.internal.status.PluginStatus.State;

/** Counts the messages by their outcome. Thread-safe. */
public final class Counters {
    private final LongAdder sealed = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder unjudged = new LongAdder();

    public void countSealed() {
        sealed.increment();
    }

    public void countPassed() {
        passed.increment();
    }

    public void countRejected() {
        rejected.increment();
    }

    /** Counts a clear message for a protected address that reached the storage unjudged. */
    public void countUnjudged() {
        unjudged.increment();
    }

    /**
     * Returns the status of the plugin with these counts.
     *
     * @param largeProblem the reason why large messages are rejected, or null
     */
    public PluginStatus status(Readiness readiness, @Nullable String largeProblem) {
        PluginStatus.LargeMessages large =
                new PluginStatus.LargeMessages(largeProblem == null ? Mode.PROTECTED : Mode.REFUSED, largeProblem);
        if (readiness instanceof Readiness.Ready ready) {
            String problems = problems(ready);
            return new PluginStatus(
                    problems == null ? State.READY : State.DEGRADED,
                    problems,
                    new PluginStatus.Policies(ready.policies().version(), ready.policyProblem(), ready.findings()),
                    large,
                    counts(ready.home().crypto().dryTakes()));
        }
        String reason = readiness instanceof Readiness.Unavailable unavailable ? unavailable.reason() : null;
        return new PluginStatus(State.FAILED, reason, PluginStatus.Policies.NONE, large, counts(0));
    }

    /** Returns the problems of a plugin that protects some messages and rejects others; null if there are none. */
    private static @Nullable String problems(Readiness.Ready ready) {
        List<String> parts = new ArrayList<>();
        if (ready.policyProblem() != null) {
            parts.add("the changed policy file cannot be used, version "
                    + ready.policies().version() + " stays in force");
        }
        List<PolicyFinding> findings = ready.findings();
        if (!findings.isEmpty()) {
            long policies =
                    findings.stream().map(PolicyFinding::pattern).distinct().count();
            parts.add(policies + " of " + ready.policies().policies().size() + " policies cannot be applied");
        }
        return parts.isEmpty() ? null : String.join("; ", parts);
    }

    private PluginStatus.Counts counts(long keyWaits) {
        return new PluginStatus.Counts(sealed.sum(), passed.sum(), rejected.sum(), unjudged.sum(), keyWaits);
    }
}
