/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;

/** All policies at one time: immutable, versioned. The most specific pattern wins. Thread-safe. */
public final class PolicySet {
    /** No policy, version 0: everything passes. */
    public static final PolicySet EMPTY = new PolicySet();

    private PolicySet() {}

    /** A set of these policies. Patterns are distinct. */
    public static PolicySet of(long version, UnmatchedAddress unmatched, List<Policy> policies) {
        throw new UnsupportedOperationException();
    }

    /** The policy for this address; always the same instance for the same policy. Fast: cached per address, bounded. */
    public Optional<EffectivePolicy> find(String address) {
        throw new UnsupportedOperationException();
    }

    /** Which policy applies to this address, which others match, and why. */
    public PolicyExplanation explain(String address) {
        throw new UnsupportedOperationException();
    }

    /** The number that grows with each change. */
    public long version() {
        throw new UnsupportedOperationException();
    }

    /** What happens to messages of addresses that no policy covers. */
    public UnmatchedAddress unmatched() {
        throw new UnsupportedOperationException();
    }

    /** The policies, in the order of the document. */
    public List<Policy> policies() {
        throw new UnsupportedOperationException();
    }

    /** The next version, with this policy added or put in place of the one with the same pattern. */
    public PolicySet with(Policy policy) {
        throw new UnsupportedOperationException();
    }

    /** The next version, without the policy of this pattern. */
    public PolicySet without(String pattern) {
        throw new UnsupportedOperationException();
    }
}
