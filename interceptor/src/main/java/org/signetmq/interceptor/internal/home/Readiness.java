/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.policy.PolicySet;

/**
 * The state of the plugin at one moment: its home and policies, or the reason why it cannot protect messages.
 * Immutable.
 */
public sealed interface Readiness {
    /**
     * The state of a plugin that can protect messages.
     *
     * @param policies the policies in force
     * @param findings the problems of some policies
     * @param policyProblem the reason why the changed policy file cannot be used, or null
     * @param trustProblem the reason why the state of certificates is unknown or trust.json cannot be used, or null
     * @param home the keys
     */
    record Ready(
            PolicySet policies,
            List<PolicyFinding> findings,
            @Nullable String policyProblem,
            @Nullable String trustProblem,
            LoadedHome home)
            implements Readiness {}

    /** The state of a plugin that cannot protect messages, with the reason. */
    record Unavailable(String reason) implements Readiness {}

    /** Thrown to reject a message while the plugin is not ready. The log already has one line about that state. */
    public static final class NotReadyException extends MessageRejectedException {
        private static final long serialVersionUID = 1L;

        public NotReadyException(String reason) {
            super(RejectionReason.NOT_READY, reason);
        }
    }
}
