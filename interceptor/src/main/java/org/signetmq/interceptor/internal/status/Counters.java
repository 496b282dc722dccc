/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.PolicyFinding;
import org.signetmq.interceptor.internal.home.Readiness;

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

    /** Counts a message in clear that came to the storage of a protected address without having been judged. */
    public void countUnjudged() {
        unjudged.increment();
    }

    /**
     * How things stand, with these counts.
     *
     * @param largeProblem why large messages are rejected, or null
     */
    public PluginStatus status(Readiness readiness, @Nullable String largeProblem) {
        PluginStatus.LargeMessages large = new PluginStatus.LargeMessages(
                largeProblem == null ? LargeMessageMode.PROTECTED : LargeMessageMode.REFUSED, largeProblem);
        if (readiness instanceof Readiness.Ready ready) {
            String trouble = trouble(ready);
            return new PluginStatus(
                    trouble == null ? PluginState.READY : PluginState.DEGRADED,
                    trouble,
                    new PluginStatus.Policies(ready.policies().version(), ready.policyProblem(), ready.findings()),
                    large,
                    counts(ready.home().crypto().dryTakes()));
        }
        String reason = readiness instanceof Readiness.Unavailable unavailable ? unavailable.reason() : null;
        return new PluginStatus(PluginState.FAILED, reason, PluginStatus.Policies.NONE, large, counts(0));
    }

    /** Why some messages are rejected though the plugin protects others, or null. */
    private static @Nullable String trouble(Readiness.Ready ready) {
        List<String> parts = new ArrayList<>();
        if (ready.policyProblem() != null) {
            parts.add("the policy file as it is now was not taken, version "
                    + ready.policies().version() + " stays in force");
        }
        List<PolicyFinding> findings = ready.findings();
        if (!findings.isEmpty()) {
            long policies =
                    findings.stream().map(PolicyFinding::pattern).distinct().count();
            parts.add(
                    policies + " of " + ready.policies().policies().size() + " policies cannot be applied as they are");
        }
        return parts.isEmpty() ? null : String.join("; ", parts);
    }

    private PluginStatus.Counts counts(long keyWaits) {
        return new PluginStatus.Counts(sealed.sum(), passed.sum(), rejected.sum(), unjudged.sum(), keyWaits);
    }
}
