/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/**
 * A policy with the version of its set. A set returns the same instance for every address of a policy, so instances can
 * be compared by identity.
 *
 * @param policy the policy
 * @param version the version of its set
 */
public record EffectivePolicy(Policy policy, long version) {
    /** Returns the reference to the policy in a message: {@code pattern@version}. */
    public String reference() {
        return policy.pattern() + '@' + version;
    }
}
