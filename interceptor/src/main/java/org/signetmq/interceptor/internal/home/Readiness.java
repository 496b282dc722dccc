/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.List;
import org.jspecify.annotations.Nullable;
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
}
