/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the plugin stands at one moment.
 *
 * @param state whether it can protect messages
 * @param reason why it cannot, or null
 * @param policyVersion the version of the policies in force; 0 if there are none
 * @param policyProblem why the policy file as it is now was not taken, or null; the policies before it stay in force
 * @param sealed how many messages were sealed
 * @param passed how many messages passed as they were: without a policy, of quality none, or sealed before
 * @param rejected how many messages were refused
 * @param keyWaits how often a message waited for its data key because none was made ahead
 */
public record PluginStatus(
        PluginState state,
        @Nullable String reason,
        long policyVersion,
        @Nullable String policyProblem,
        long sealed,
        long passed,
        long rejected,
        long keyWaits) {

    /** Why the plugin cannot protect messages, if so. */
    public Optional<String> failure() {
        return Optional.ofNullable(reason);
    }

    /** Why the policy file as it is now was not taken, if so. */
    public Optional<String> problemWithPolicies() {
        return Optional.ofNullable(policyProblem);
    }
}
