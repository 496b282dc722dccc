/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicySet;

/** The state of the plugin at one moment: its home and policies, or the reason why it cannot work. Swapped whole. */
public sealed interface Readiness {
    /**
     * Able to protect.
     *
     * @param policies the policies in force
     * @param findings the problems of some policies
     * @param policyProblem why the policy file as it is now was not taken, or null
     * @param home the keys
     */
    record Ready(
            PolicySet policies,
            List<PolicyFinding> findings,
            @Nullable String policyProblem,
            LoadedHome home) implements Readiness {}

    /** Unable to protect, for this reason. */
    record Unavailable(String reason) implements Readiness {}
}
