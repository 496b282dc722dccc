/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An immutable set of policies with a version. The policy with the most specific pattern applies. Thread-safe. */
public final class PolicySet {
    /** The set without a policy, with version 0. All messages pass. */
    public static final PolicySet EMPTY = new PolicySet(0, UnmatchedAddress.PASS, WildcardSyntax.DEFAULT, List.of());

    private static final int REMEMBERED_ADDRESSES = 10_000;

    private final long version;
    private final UnmatchedAddress unmatched;
    private final WildcardSyntax syntax;
    private final List<Policy> policies;
    private final Set<Policy> distinct;
    private final Map<String, EffectivePolicy> exact = new HashMap<>();
    private final List<Wildcard> wildcards = new ArrayList<>();
    private final AddressCache<Optional<EffectivePolicy>> found = new AddressCache<>(REMEMBERED_ADDRESSES);

    private record Wildcard(AddressPattern pattern, EffectivePolicy effective) {}

    private PolicySet(long version, UnmatchedAddress unmatched, WildcardSyntax syntax, List<Policy> policies) {
        if (version < 0) {
            throw new IllegalArgumentException("version: below zero: " + version);
        }
        this.version = version;
        this.unmatched = unmatched;
        this.syntax = syntax;
        this.policies = List.copyOf(policies);
        this.distinct = Set.copyOf(policies);
        for (Policy policy : this.policies) {
            EffectivePolicy effective = new EffectivePolicy(policy, version);
            if (syntax.isWild(policy.pattern())) {
                wildcards.add(new Wildcard(AddressPattern.of(policy.pattern(), syntax), effective));
            } else {
                exact.put(policy.pattern(), effective);
            }
        }
        wildcards.sort(Comparator.comparing(Wildcard::pattern, Specificity.MOST_SPECIFIC_FIRST));
    }

    /**
     * Makes a set of these policies with Artemis's wildcards in their patterns.
     *
     * @throws InvalidPolicyException if a pattern is not valid, or two policies have the same pattern
     */
    public static PolicySet of(long version, UnmatchedAddress unmatched, List<Policy> policies) {
        return of(version, unmatched, WildcardSyntax.DEFAULT, policies);
    }

    /**
     * Makes a set of these policies with this syntax of wildcards.
     *
     * @throws InvalidPolicyException if a pattern is not valid in the syntax, or two policies have the same pattern
     */
    public static PolicySet of(long version, UnmatchedAddress unmatched, WildcardSyntax syntax, List<Policy> policies) {
        Map<String, String> firstPaths = new HashMap<>();
        List<PolicyProblem> problems = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            String pattern = policies.get(i).pattern();
            String path = "policies[" + i + "]";
            AddressPattern.problemWith(pattern, syntax)
                    .or(() -> AddressPattern.problemWithSecond(pattern, path, firstPaths))
                    .ifPresent(message -> problems.add(new PolicyProblem(path + ".pattern", message)));
        }
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
        return new PolicySet(version, unmatched, syntax, policies);
    }

    /** Finds the policy of this address, always as the same instance; empty for none. Results are cached. */
    public Optional<EffectivePolicy> find(String address) {
        EffectivePolicy named = exact.get(address);
        if (named != null) {
            return Optional.of(named);
        }
        return wildcards.isEmpty() ? Optional.empty() : found.get(address, this::search);
    }

    private Optional<EffectivePolicy> search(String address) {
        for (Wildcard wildcard : wildcards) {
            if (wildcard.pattern().matches(address)) {
                return Optional.of(wildcard.effective());
            }
        }
        return Optional.empty();
    }

    /**
     * Explains which policy applies to this address, and which others match. No policy applies to a reserved address.
     * For the addresses that broker.xml names, it assumes {@link BrokerAddresses#DEFAULT}.
     */
    public PolicyExplanation explain(String address) {
        if (address.startsWith(BrokerAddresses.RETAINED) && address.length() > BrokerAddresses.RETAINED.length()) {
            PolicyExplanation topic = explain(address.substring(BrokerAddresses.RETAINED.length()));
            return new PolicyExplanation(
                    address,
                    topic.effective(),
                    topic.overruled(),
                    "keeps the retained message of " + Quoted.text(topic.address()) + ": " + topic.reason());
        }
        return BrokerAddresses.DEFAULT
                .useOf(address)
                .map(use -> excluded(address, use))
                .orElseGet(() -> matching(address));
    }

    private PolicyExplanation excluded(String address, BrokerAddresses.Use use) {
        String clients = find(address)
                .map(effective ->
                        "are judged by " + Quoted.text(effective.policy().pattern()))
                .orElse(unmatched == UnmatchedAddress.PASS ? "pass as they are" : "are rejected");
        return new PolicyExplanation(
                address,
                Optional.empty(),
                List.of(),
                "excluded: the broker keeps it for " + use.label()
                        + ", to which no policy applies; messages that clients send there " + clients);
    }

    private PolicyExplanation matching(String address) {
        List<EffectivePolicy> matching = new ArrayList<>();
        EffectivePolicy named = exact.get(address);
        if (named != null) {
            matching.add(named);
        }
        wildcards.stream()
                .filter(wildcard -> wildcard.pattern().matches(address))
                .map(Wildcard::effective)
                .forEach(matching::add);
        return new PolicyExplanation(
                address,
                matching.stream().findFirst(),
                matching.stream().skip(1).map(EffectivePolicy::policy).toList(),
                reason(named != null, matching));
    }

    private String reason(boolean exactly, List<EffectivePolicy> matching) {
        if (matching.isEmpty()) {
            return "no pattern matches, and messages of addresses without a policy "
                    + (unmatched == UnmatchedAddress.PASS ? "pass as they are" : "are rejected");
        }
        String winner = Quoted.text(matching.get(0).policy().pattern());
        int patterns = matching.size();
        if (exactly) {
            return winner + " is this address exactly" + (patterns == 1 ? "" : ", which overrules every wildcard");
        }
        return patterns == 1
                ? winner + " is the only pattern that matches"
                : winner + " is the most specific of the " + patterns + " patterns that match";
    }

    /** Returns the version, which grows with each change. */
    public long version() {
        return version;
    }

    /** Returns the treatment of messages to addresses without a policy. */
    public UnmatchedAddress unmatched() {
        return unmatched;
    }

    /** Returns the wildcards of the patterns. */
    public WildcardSyntax wildcards() {
        return syntax;
    }

    /** Returns the policies, in the order of the document. */
    public List<Policy> policies() {
        return policies;
    }

    /** Tells whether the set contains an equal policy. */
    public boolean contains(Policy policy) {
        return distinct.contains(policy);
    }

    /** Returns the next version, with this policy added, or in place of the one with the same pattern. */
    public PolicySet with(Policy policy) {
        List<Policy> changed = new ArrayList<>(policies);
        for (int i = 0; i < changed.size(); i++) {
            if (changed.get(i).pattern().equals(policy.pattern())) {
                changed.set(i, policy);
                return of(version + 1, unmatched, syntax, changed);
            }
        }
        changed.add(policy);
        return of(version + 1, unmatched, syntax, changed);
    }

    /**
     * Returns the next version, with this syntax of patterns; this set if it has the syntax already.
     *
     * @throws InvalidPolicyException if a pattern is not valid in the syntax
     */
    public PolicySet with(WildcardSyntax other) {
        return other.equals(syntax) ? this : of(version + 1, unmatched, other, policies);
    }

    /** Returns the next version, with this rule for addresses without a policy; this set if it has the rule already. */
    public PolicySet with(UnmatchedAddress other) {
        return other == unmatched ? this : of(version + 1, other, syntax, policies);
    }

    /** Returns the next version, without the policy of this pattern; this set if there is none. */
    public PolicySet without(String pattern) {
        List<Policy> left = policies.stream()
                .filter(policy -> !policy.pattern().equals(pattern))
                .toList();
        return left.size() == policies.size() ? this : new PolicySet(version + 1, unmatched, syntax, left);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PolicySet set
                && set.version == version
                && set.unmatched == unmatched
                && set.syntax.equals(syntax)
                && set.policies.equals(policies);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(version) + policies.hashCode();
    }

    @Override
    public String toString() {
        return "PolicySet[version " + version + ", " + policies.size() + " policies, unmatched " + unmatched.label()
                + "]";
    }
}
