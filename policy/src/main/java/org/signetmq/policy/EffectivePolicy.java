/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/**
 * A policy as part of the set it came from. A set hands out the same instance for every address of a policy, so that
 * instances may serve as keys by identity.
 *
 * @param policy the policy
 * @param version the version of its set
 */
public record EffectivePolicy(Policy policy, long version) {
    /** How a message names its policy: {@code pattern@version}. */
    public String reference() {
        return policy.pattern() + '@' + version;
    }
}
