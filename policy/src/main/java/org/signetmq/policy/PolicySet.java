/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.policy.internal.match.AddressPattern;
import org.signetmq.policy.internal.match.PatternTree;
import org.signetmq.policy.internal.match.PatternVariables;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.text.Quoted;

/** An immutable set of policies with a version. The policy with the most specific pattern applies. Thread-safe. */
public sealed class PolicySet permits TightenedPolicies {
    /** The set without a policy, with version 0. All messages pass. */
    public static final PolicySet EMPTY = new PolicySet(0, Settings.DEFAULT, List.of());

    static final int REMEMBERED_ADDRESSES = 10_000;

    private final long version;
    private final Settings settings;
    private final WildcardSyntax syntax;
    private final List<Policy> policies;
    private final Map<String, Policy> named = new HashMap<>();
    private final Map<String, Optional<EffectivePolicy>> exact = new HashMap<>();
    /** The policies of the tree's patterns, by rank. */
    private final List<Ranked> ranked;

    private final PatternTree tree;
    /** One object for all look-ups, so that a hit allocates nothing. */
    private final Function<String, Optional<EffectivePolicy>> search = this::search;

    private final AddressCache<Optional<EffectivePolicy>> found = new AddressCache<>(REMEMBERED_ADDRESSES);

    /**
     * The rules of a set beside its policies. Immutable.
     *
     * @param unmatched the treatment of messages to addresses without a policy
     * @param wildcards the wildcards of the patterns
     * @param recovery the parties to which every policy that encrypts does so beside its own recipients: names,
     *     distinguished names or key identifiers; empty for none
     * @param users the signers that belong to a user of the broker, by the name of the user: names, distinguished names
     *     or key identifiers. To any other user belongs the certificate of the user's own name
     * @param certificates the certificates that the set itself brings: base64 of DER, by the name of the party
     */
    public record Settings(
            UnmatchedAddress unmatched,
            WildcardSyntax wildcards,
            List<String> recovery,
            Map<String, List<String>> users,
            Map<String, String> certificates) {
        /** The default: messages without a policy pass, Artemis's wildcards, no recovery recipient. */
        public static final Settings DEFAULT = new Settings(UnmatchedAddress.PASS, WildcardSyntax.DEFAULT, List.of());

        public Settings {
            recovery = List.copyOf(recovery);
            users = Collections.unmodifiableMap(new LinkedHashMap<>(users));
            certificates = Collections.unmodifiableMap(new LinkedHashMap<>(certificates));
        }

        /** Creates rules without users and certificates. */
        public Settings(UnmatchedAddress unmatched, WildcardSyntax wildcards, List<String> recovery) {
            this(unmatched, wildcards, recovery, Map.of(), Map.of());
        }

        /** Returns these rules with another treatment of messages without a policy. */
        public Settings with(UnmatchedAddress other) {
            return new Settings(other, wildcards, recovery, users, certificates);
        }

        /** Returns these rules with other wildcards. */
        public Settings with(WildcardSyntax other) {
            return new Settings(unmatched, other, recovery, users, certificates);
        }

        /** Returns these rules with other recovery recipients. */
        public Settings withRecovery(List<String> others) {
            return new Settings(unmatched, wildcards, others, users, certificates);
        }

        /** Returns these rules with other signers of users. */
        public Settings withUsers(Map<String, List<String>> others) {
            return new Settings(unmatched, wildcards, recovery, others, certificates);
        }

        /** Returns these rules with other certificates. */
        public Settings withCertificates(Map<String, String> others) {
            return new Settings(unmatched, wildcards, recovery, users, others);
        }
    }

    /** The policy of a pattern with wildcards, and the variables of the pattern. */
    private record Ranked(Optional<EffectivePolicy> effective, PatternVariables variables) {}

    PolicySet(long version, Settings settings, List<Policy> policies) {
        if (version < 0) {
            throw new IllegalArgumentException("version: below zero: " + version);
        }
        this.version = version;
        this.settings = settings;
        this.syntax = settings.wildcards();
        this.policies = List.copyOf(policies);
        rejectTooManyWords();
        List<AddressPattern> patterns = new ArrayList<>();
        long searched = 0;
        Map<String, Ranked> wildcards = new HashMap<>();
        for (Policy policy : this.policies) {
            String pattern = policy.pattern();
            named.put(pattern, policy);
            Optional<EffectivePolicy> effective = Optional.of(new EffectivePolicy(applied(policy), version));
            if (syntax.isWild(pattern)) {
                AddressPattern parsed = syntax.pattern(pattern);
                patterns.add(parsed);
                searched += parsed.searchedWords();
                wildcards.put(parsed.text(), new Ranked(effective, syntax.variables(pattern)));
            } else {
                exact.put(pattern, effective);
            }
        }
        DocumentLimits.problemWithSearchedWords(searched).ifPresent(message -> {
            throw InvalidPolicyException.of(PolicyKeys.POLICIES, message);
        });
        patterns.sort(AddressPattern.MOST_SPECIFIC_FIRST);
        this.tree = new PatternTree(patterns, syntax.characters());
        this.ranked = patterns.stream()
                .map(pattern -> Objects.requireNonNull(wildcards.get(pattern.text())))
                .toList();
    }

    private void rejectTooManyWords() {
        long words = policies.stream()
                .map(Policy::pattern)
                .filter(syntax::isWild)
                .mapToLong(syntax::words)
                .sum();
        DocumentLimits.problemWithWords(words).ifPresent(message -> {
            throw InvalidPolicyException.of(PolicyKeys.POLICIES, message);
        });
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
        return of(version, new Settings(unmatched, syntax, List.of()), policies);
    }

    /**
     * Makes a set of these policies with these rules.
     *
     * @throws InvalidPolicyException if a pattern is not valid in the syntax, two policies have the same pattern, or a
     *     list of names is too long
     */
    public static PolicySet of(long version, Settings settings, List<Policy> policies) {
        List<PolicyProblem> problems = PolicyProblem.of(settings, policies);
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(PolicyProblem.first(problems));
        }
        return new PolicySet(version, settings, policies);
    }

    /**
     * Finds the policy of this address; empty for none. Results are cached, but for addresses that are very long or no
     * longer among the last ten thousand.
     */
    public Optional<EffectivePolicy> find(String address) {
        Optional<EffectivePolicy> named = exact.get(address);
        if (named != null) {
            return named;
        }
        return ranked.isEmpty() ? Optional.empty() : found.get(address, search);
    }

    private Optional<EffectivePolicy> search(String address) {
        int rank = tree.best(address);
        int rival = tree.rival(address);
        if (rival != PatternTree.NONE) {
            return between(at(rank, address).orElseThrow(), at(rival, address).orElseThrow());
        }
        return rank == PatternTree.NONE ? Optional.empty() : at(rank, address);
    }

    /** Returns the policy that says why nothing can be sent to an address that belongs to two patterns. */
    private static Optional<EffectivePolicy> between(EffectivePolicy one, EffectivePolicy other) {
        boolean isOpen = one.policy().quality() == QualityOfProtection.NONE;
        return Optional.of(isOpen ? other.besides(one) : one.besides(other));
    }

    private Optional<EffectivePolicy> at(int rank, String address) {
        Ranked found = ranked.get(rank);
        return found.variables().areNone()
                ? found.effective()
                : found.effective()
                        .map(this::definition)
                        .map(policy -> effective(policy, found.variables().values(address)));
    }

    /**
     * Returns a policy of this set as it applies to a matching address, or to all addresses of a pattern that has words
     * in place of the variables.
     */
    public EffectivePolicy applied(Policy policy, String address) {
        return effective(policy, syntax.variables(policy.pattern()).values(address));
    }

    private EffectivePolicy effective(Policy policy, Map<String, String> values) {
        return new EffectivePolicy(applied(policy.filled(values)), version, values);
    }

    /**
     * Explains which policy applies to this address, and which others match. No policy applies to a reserved address.
     * For the addresses that broker.xml names, it assumes {@link BrokerAddresses#DEFAULT}.
     */
    public PolicyExplanation explain(String address) {
        return PolicyExplanation.of(this, address);
    }

    /** Returns the policies whose patterns match this address, as they apply to it, most specific first. */
    List<EffectivePolicy> matching(String address) {
        List<EffectivePolicy> matching = new ArrayList<>();
        exact.getOrDefault(address, Optional.empty()).ifPresent(matching::add);
        for (int rank : tree.all(address)) {
            at(rank, address).ifPresent(matching::add);
        }
        return matching;
    }

    /** Returns the version, which grows with each change. */
    public long version() {
        return version;
    }

    /** Returns the treatment of messages to addresses without a policy. */
    public UnmatchedAddress unmatched() {
        return settings.unmatched();
    }

    /** Returns the rules of the set beside its policies. */
    public Settings settings() {
        return settings;
    }

    /** Returns the parties to which every policy that encrypts does so beside its own recipients; empty for none. */
    public List<String> recovery() {
        return settings.recovery();
    }

    /**
     * Returns a policy as this set applies it: if it encrypts, the recovery recipients stand behind its own, each name
     * once. A policy without any recipient stays as it is, because nothing may be encrypted by it.
     */
    public Policy applied(Policy policy) {
        Policy.Encryption encryption = policy.encryption();
        List<String> own = encryption.recipients();
        if (!policy.quality().encrypts() || own.isEmpty() || own.containsAll(recovery())) {
            return policy;
        }
        List<String> all = new ArrayList<>(own);
        recovery().stream().filter(name -> !own.contains(name)).forEach(all::add);
        return policy.with(
                new Policy.Encryption(encryption.algorithm(), all, encryption.limits(), encryption.mutualTrust()));
    }

    /** Tells whether the set applies an equal policy, of whatever version. */
    public boolean applies(EffectivePolicy effective) {
        return named(effective.policy().pattern())
                .map(policy ->
                        syntax.variables(policy.pattern()).areNone() ? policy : policy.filled(effective.values()))
                .filter(policy -> applied(policy).equals(effective.policy()))
                .isPresent();
    }

    /** Returns the policy of the set from which this one was made. */
    Policy definition(EffectivePolicy effective) {
        return named(effective.policy().pattern()).orElse(effective.policy());
    }

    /** Returns the wildcards of the patterns. */
    public WildcardSyntax wildcards() {
        return syntax;
    }

    /** Returns the policies, in the order of the document. */
    public List<Policy> policies() {
        return policies;
    }

    /**
     * Returns the addresses to which messages go that cannot be opened: the default one, and those that policies name.
     * It is empty if no policy protects messages.
     */
    public Set<String> quarantines() {
        return policies.stream()
                .filter(policy -> policy.quality() != QualityOfProtection.NONE)
                .flatMap(policy -> Stream.of(
                        Policy.OpenFailures.QUARANTINE, policy.openFailures().quarantineAddress()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Tells whether the set contains an equal policy. */
    public boolean contains(Policy policy) {
        return named(policy.pattern()).filter(policy::equals).isPresent();
    }

    /** Returns the policy with exactly this pattern; empty for none. */
    public Optional<Policy> named(String pattern) {
        return Optional.ofNullable(named.get(pattern));
    }

    /**
     * Returns the policies that decide about the addresses of a pattern, in the order of the document. For an address
     * that is the one that applies, if there is one. For a pattern with wildcards these are all that may match one of
     * its addresses.
     *
     * @throws InvalidPolicyException if the text is no pattern
     */
    public List<Policy> deciding(String pattern) {
        syntax.problemWithPattern(pattern).ifPresent(problem -> {
            throw new InvalidPolicyException(List.of(new PolicyProblem("address", problem)));
        });
        if (!syntax.isWild(pattern)) {
            return find(pattern).map(this::definition).stream().toList();
        }
        AddressPattern wanted = syntax.pattern(pattern);
        PatternTree addresses = new PatternTree(List.of(wanted), syntax.characters());
        return policies.stream()
                .map(Policy::pattern)
                .filter(other -> syntax.isWild(other)
                        ? syntax.pattern(other).mayOverlap(wanted)
                        : addresses.best(other) != PatternTree.NONE)
                .map(other -> named(other).orElseThrow())
                .toList();
    }

    /** Returns the next version, with this policy added, or in place of the one with the same pattern. */
    public PolicySet with(Policy policy) {
        return with(List.of(policy));
    }

    /**
     * Returns the next version, with these policies added, each in place of the one with the same pattern.
     *
     * @throws InvalidPolicyException if a pattern is not valid in the syntax of the set
     */
    public PolicySet with(List<Policy> others) {
        List<Policy> changed = new ArrayList<>(policies);
        Map<String, Integer> places = new HashMap<>();
        changed.forEach(policy -> places.put(policy.pattern(), places.size()));
        for (Policy policy : others) {
            Integer place = places.putIfAbsent(policy.pattern(), changed.size());
            if (place == null) {
                changed.add(policy);
            } else {
                changed.set(place, policy);
            }
        }
        return of(nextVersion(), settings, changed);
    }

    /** @throws InvalidPolicyException if there is no higher version */
    private long nextVersion() {
        if (version == Long.MAX_VALUE) {
            throw InvalidPolicyException.of(PolicyKeys.VERSION, "the highest one, " + version + "; write a lower one");
        }
        return version + 1;
    }

    /**
     * Returns the next version, with this syntax of patterns; this set if it has the syntax already.
     *
     * @throws InvalidPolicyException if a pattern is not valid in the syntax
     */
    public PolicySet with(WildcardSyntax other) {
        return with(settings.with(other));
    }

    /** Returns the next version, with this rule for addresses without a policy; this set if it has the rule already. */
    public PolicySet with(UnmatchedAddress other) {
        return with(settings.with(other));
    }

    /**
     * Returns the next version, with these recovery recipients in place of the others; this set if it has them already.
     *
     * @throws InvalidPolicyException if there are too many, or one is blank, too long or named twice
     */
    public PolicySet withRecovery(List<String> names) {
        return with(settings.withRecovery(names));
    }

    private PolicySet with(Settings others) {
        return others.equals(settings) ? this : of(nextVersion(), others, policies);
    }

    /** Returns the next version, without the policy of this pattern; this set if there is none. */
    public PolicySet without(String pattern) {
        List<Policy> left = policies.stream()
                .filter(policy -> !policy.pattern().equals(pattern))
                .toList();
        return left.size() == policies.size() ? this : new PolicySet(nextVersion(), settings, left);
    }

    /**
     * Returns this set with the policies of another one that are at least as strict. Of each address the other set's
     * policy counts if it lets no message pass, and no party read or sign, that this set's policy would not. Otherwise
     * the policy of this set stays. Rejects messages without a policy if one of the sets does. What a consumer does
     * with messages that do not open, and all other rules, are those of this set.
     *
     * @param other a set with the wildcards of this one
     * @param weaker takes the pattern of the first policy of the other set that does not count
     */
    public PolicySet tightenedBy(PolicySet other, Consumer<String> weaker) {
        return new TightenedPolicies(this, other, weaker);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PolicySet set
                && set.version == version
                && set.settings.equals(settings)
                && set.policies.equals(policies);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(version) + policies.hashCode();
    }

    @Override
    public String toString() {
        return "PolicySet[version " + version + ", " + policies.size() + " policies, unmatched "
                + unmatched().label()
                + "]";
    }

    /**
     * A bounded cache of results for addresses. A full cache is cleared, so a sender that invents addresses costs
     * searches but no memory. A hit takes no lock. Thread-safe.
     */
    static final class AddressCache<V> {
        /** The longest address that is kept, in characters. */
        static final int LONGEST_ADDRESS = 512;

        private final ConcurrentHashMap<String, V> found = new ConcurrentHashMap<>();
        private final int capacity;

        public AddressCache(int capacity) {
            this.capacity = capacity;
        }

        public V get(String address, Function<String, V> search) {
            V hit = found.get(address);
            if (hit != null) {
                return hit;
            }
            V value = search.apply(address);
            if (address.length() <= LONGEST_ADDRESS) {
                remember(address, value);
            }
            return value;
        }

        /** Runs under a lock, because the size of a map is only an estimate while other threads change it. */
        private synchronized void remember(String address, V value) {
            if (found.size() >= capacity) {
                found.clear();
            }
            found.put(address, value);
        }

        synchronized int size() {
            return found.size();
        }
    }

    /**
     * The policy that applies to an address, and the reason.
     *
     * @param address the address asked about
     * @param effective the policy that applies; empty for none
     * @param overruled the other policies that match, most specific first
     * @param reason the reason, in one sentence
     */
    public record PolicyExplanation(
            String address, Optional<EffectivePolicy> effective, List<Policy> overruled, String reason) {
        /** Explains which policy of a set applies to this address, as {@link PolicySet#explain} does. */
        static PolicyExplanation of(PolicySet set, String address) {
            if (address.startsWith(BrokerAddresses.RETAINED) && address.length() > BrokerAddresses.RETAINED.length()) {
                PolicyExplanation topic = of(set, address.substring(BrokerAddresses.RETAINED.length()));
                return new PolicyExplanation(
                        address,
                        topic.effective(),
                        topic.overruled(),
                        "keeps the retained message of " + Quoted.text(topic.address()) + ": " + topic.reason());
            }
            return BrokerAddresses.DEFAULT
                    .useOf(address)
                    .map(use -> excluded(set, address, use))
                    .orElseGet(() -> matched(set, address));
        }

        private static PolicyExplanation excluded(PolicySet set, String address, BrokerAddresses.Use use) {
            String clients = set.find(address)
                    .map(effective ->
                            "are judged by " + Quoted.text(effective.policy().pattern()))
                    .orElse(set.unmatched() == UnmatchedAddress.PASS ? "pass as they are" : "are rejected");
            return new PolicyExplanation(
                    address,
                    Optional.empty(),
                    List.of(),
                    "excluded: the broker keeps it for " + use.label()
                            + ", to which no policy applies; messages that clients send there " + clients);
        }

        private static PolicyExplanation matched(PolicySet set, String address) {
            List<EffectivePolicy> matching = set.matching(address);
            return new PolicyExplanation(
                    address,
                    matching.stream().findFirst(),
                    matching.stream().skip(1).map(set::definition).toList(),
                    matching.isEmpty() ? reasonOfNone(set) : reason(set, matching));
        }

        private static String reasonOfNone(PolicySet set) {
            return "no pattern matches, and messages of addresses without a policy "
                    + (set.unmatched() == UnmatchedAddress.PASS
                            ? "pass as they are"
                            : "are rejected, also those to temporary queues and so replies, unless a pattern such as "
                                    + Quoted.text(String.valueOf(set.wildcards().anyWords())) + " matches these");
        }

        private static String reason(PolicySet set, List<EffectivePolicy> matching) {
            String pattern = matching.get(0).policy().pattern();
            String winner = Quoted.text(pattern);
            int patterns = matching.size();
            if (!set.wildcards().isWild(pattern)) {
                return winner + " is this address exactly" + (patterns == 1 ? "" : ", which overrules every wildcard");
            }
            return patterns == 1
                    ? winner + " is the only pattern that matches"
                    : winner + " is the most specific of the " + patterns + " patterns that match";
        }
    }
}
