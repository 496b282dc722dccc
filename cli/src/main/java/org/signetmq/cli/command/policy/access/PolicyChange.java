/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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
                PolicyChange.SetRecovery,
                PolicyChange.Rollback,
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

    /** Returns the recipients that a change put into a set. */
    default Stream<String> readers(PolicySet after) {
        return touched(after).stream()
                .filter(policy -> policy.quality().encrypts())
                .flatMap(policy -> policy.encryption().recipients().stream());
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
            return after.named(pattern()).stream().toList();
        }

        public String pattern() {
            return String.valueOf(fields.get("pattern"));
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

    /** Says to which parties every policy that encrypts does so beside its own recipients. */
    record SetRecovery(List<String> names) implements PolicyChange {
        public SetRecovery {
            names = List.copyOf(names);
        }

        /** Judges the new names alone: one that was there and no longer works must not keep others from coming. */
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            PolicySet after = before.withRecovery(names);
            PartyValidator ofNew = new PartyValidator(
                    name -> before.recovery().contains(name)
                            ? Optional.empty()
                            : known.recipientProblem().apply(name),
                    known.signerProblem());
            List<PolicyProblem> problems =
                    PolicyFile.problems(PolicySet.of(after.version(), after.settings(), List.of()), ofNew);
            if (!problems.isEmpty()) {
                throw new InvalidPolicyException(problems);
            }
            return after;
        }

        @Override
        public Stream<String> readers(PolicySet after) {
            return names.stream();
        }
    }

    /** Puts former policies of a broker in place of all that are there. Only the broker has them. */
    record Rollback(long version) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            throw HomeTarget.withoutHistory();
        }
    }

    /** Puts all of these policies in place of all that are there. Their version does not count. */
    record ReplaceAll(PolicySet policies) implements PolicyChange {
        @Override
        public PolicySet on(PolicySet before, PartyValidator known) {
            PolicySet after = PolicySet.of(before.version() + 1, policies.settings(), policies.policies());
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

        @Override
        public Stream<String> readers(PolicySet after) {
            return Stream.concat(PolicyChange.super.readers(after), after.recovery().stream());
        }

        /** Whether these are the policies of a set, apart from the version. */
        public boolean isSame(PolicySet other) {
            return policies.settings().equals(other.settings())
                    && policies.policies().equals(other.policies());
        }
    }
}
