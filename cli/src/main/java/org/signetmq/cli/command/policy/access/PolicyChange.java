/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.util.List;
import java.util.Map;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;

/** A change of policies, which each place can make. Immutable. */
public sealed interface PolicyChange
        permits EditParties,
                PolicyChange.SetPolicy,
                PolicyChange.RemovePolicy,
                PolicyChange.SetUnmatched,
                PolicyChange.SetWildcards,
                PolicyChange.ReplaceAll {
    /**
     * Returns the next version with the change; the same instance if there is nothing to change.
     *
     * @throws InvalidPolicyException with all problems of the change
     */
    PolicySet on(PolicySet before, PartyValidator known);

    /** Returns the policies of a set that a change put there, and that must be judged for it. */
    default List<Policy> touched(PolicySet after) {
        return List.of();
    }

    /**
     * Adds a policy, or puts it in place of the one with its pattern.
     *
     * @param fields of the policy in a document; see {@link PolicyFile#parsePolicy}
     */
    record SetPolicy(Map<String, ?> fields) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            return PolicyFile.parsePolicy(fields, before, known);
        }

        @Override
        public List<Policy> touched(PolicySet after) {
            return after.named(String.valueOf(fields.get("pattern"))).stream().toList();
        }
    }

    /** Removes the policy of exactly this pattern. */
    record RemovePolicy(String pattern) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            return before.without(PolicyStore.exactly(pattern, before).pattern());
        }
    }

    /** Says what happens to messages of addresses without a policy. */
    record SetUnmatched(UnmatchedAddress rule) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            return before.with(rule);
        }
    }

    /** Says in which wildcards patterns are written. */
    record SetWildcards(WildcardSyntax wildcards) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            return before.with(wildcards);
        }
    }

    /** Puts all of these policies in place of all that are there. Their version does not count. */
    record ReplaceAll(PolicySet policies) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            PolicySet after =
                    PolicySet.of(before.version() + 1, policies.unmatched(), policies.wildcards(), policies.policies());
            if (isSame(before)) {
                return before;
            }
            List<PolicyProblem> problems = PolicyFile.problems(after, known);
            if (!problems.isEmpty()) {
                throw new InvalidPolicyException(problems);
            }
            return after;
        }

        @Override
        public List<Policy> touched(PolicySet after) {
            return after.policies();
        }

        /** Whether these are the policies of a set, apart from the version. */
        public boolean isSame(PolicySet other) {
            return policies.unmatched() == other.unmatched()
                    && policies.wildcards().equals(other.wildcards())
                    && policies.policies().equals(other.policies());
        }
    }
}
