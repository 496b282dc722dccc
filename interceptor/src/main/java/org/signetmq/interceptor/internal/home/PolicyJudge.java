/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.policy.PolicySet;

/**
 * Checks whether the plugin can apply each policy in force. It checks again when policies, the broker's identity,
 * certificates or revocation lists change, and regularly, because certificates expire. Not thread-safe.
 */
final class PolicyJudge {
    /** The pause after a check, as a multiple of the time that the check took. */
    private static final long PAUSE_FACTOR = 20;

    private final HomeNames names;
    private final Identities identities;
    private final SignerMatch match;
    private @Nullable Judged last;

    /** The findings, their inputs and the time of the next check. */
    private record Judged(Basis basis, List<PolicyFinding> findings, long nextNanos) {}

    /** The inputs of the findings except the time. */
    private record Basis(PolicySet policies, Identity broker, long certificates, long trust) {
        boolean isStill(Basis now) {
            return policies.equals(now.policies)
                    && broker.equals(now.broker)
                    && certificates == now.certificates
                    && trust == now.trust;
        }
    }

    PolicyJudge(HomeNames names, Identities identities) {
        this.names = names;
        this.identities = identities;
        this.match = new SignerMatch(names.certificates(), names.trust());
    }

    /** Returns the problems of policies in the order of the policies; empty if there are none. */
    List<PolicyFinding> findings(PolicySet policies) {
        Basis basis = new Basis(
                policies,
                identities.ofBroker(),
                names.certificates().version(),
                names.trust().version());
        Judged before = last;
        long begun = System.nanoTime();
        if (before != null && before.basis().isStill(basis) && begun - before.nextNanos() < 0) {
            return before.findings();
        }
        List<PolicyFinding> findings =
                new PolicyJudgement(names, identities, match).of(policies.policies(), policies.recovery());
        long end = System.nanoTime();
        last = new Judged(basis, findings, end + PAUSE_FACTOR * (end - begun));
        return findings;
    }
}
