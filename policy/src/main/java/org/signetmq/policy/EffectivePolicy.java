/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/**
 * A policy as its set applies it, with the version of the set: the recovery recipients of the set stand among the
 * recipients of a policy that encrypts. A set returns the same instance for every address of a policy, so instances can
 * be compared by identity.
 *
 * @param policy the policy, with all recipients
 * @param version the version of its set
 */
public record EffectivePolicy(Policy policy, long version) {
    /** Returns the reference to the policy in a message: {@code pattern@version}. */
    public String reference() {
        return policy.pattern() + '@' + version;
    }
}
