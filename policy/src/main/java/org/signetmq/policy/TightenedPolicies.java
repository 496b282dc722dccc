/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.signetmq.policy.Policy.LegacyAlgorithms;

/** A set with those policies of another one that are at least as strict; see {@link PolicySet#tightenedBy}. */
final class TightenedPolicies extends PolicySet {
    private final PolicySet other;
    private final UnmatchedAddress ownUnmatched;
    private final Consumer<String> weaker;
    private final AtomicBoolean told = new AtomicBoolean();
    private final Function<String, Optional<EffectivePolicy>> search = this::search;
    private final AddressCache<Optional<EffectivePolicy>> found = new AddressCache<>(REMEMBERED_ADDRESSES);

    TightenedPolicies(PolicySet own, PolicySet other, Consumer<String> weaker) {
        super(
                own.version(),
                own.unmatched() == UnmatchedAddress.REJECT
                        ? own.settings()
                        : own.settings().with(other.unmatched()),
                own.policies());
        this.other = other;
        this.ownUnmatched = own.unmatched();
        this.weaker = weaker;
    }

    @Override
    public Optional<EffectivePolicy> find(String address) {
        return found.get(address, search);
    }

    private Optional<EffectivePolicy> search(String address) {
        Optional<EffectivePolicy> own = super.find(address);
        Optional<EffectivePolicy> theirs = other.find(address);
        if (theirs.isEmpty()) {
            return own;
        }
        if (own.isEmpty()) {
            return ownUnmatched == UnmatchedAddress.REJECT ? own : Optional.of(withoutRights(theirs.get()));
        }
        if (own.get().problem().isPresent()
                || !isNoWeaker(theirs.get().policy(), own.get().policy())) {
            tell(theirs.get());
            return own;
        }
        Policy policy = theirs.get().policy().with(own.get().policy().openFailures());
        return Optional.of(with(policy, theirs.get()));
    }

    private void tell(EffectivePolicy theirs) {
        if (told.compareAndSet(false, true)) {
            weaker.accept(theirs.policy().pattern());
        }
    }

    private static EffectivePolicy with(Policy policy, EffectivePolicy theirs) {
        return policy.equals(theirs.policy())
                ? theirs
                : new EffectivePolicy(policy, theirs.version(), theirs.values(), theirs.rival());
    }

    /**
     * Returns a policy for an address without one. Without a policy all messages pass, but no broker vouches for a
     * sender, and old algorithms are rejected.
     */
    private EffectivePolicy withoutRights(EffectivePolicy theirs) {
        Policy policy = theirs.policy();
        if (!policy.signing().brokers().isEmpty() || policy.acceptance().legacy() == LegacyAlgorithms.ACCEPTED) {
            tell(theirs);
        }
        Policy.Signing signing = policy.signing();
        Policy.Acceptance acceptance = policy.acceptance();
        return with(
                policy.with(new Policy.Signing(
                                signing.algorithm(),
                                signing.signers(),
                                signing.certificate(),
                                List.of(),
                                signing.sharing()))
                        .with(new Policy.Acceptance(
                                acceptance.toleration(),
                                acceptance.where(),
                                LegacyAlgorithms.REFUSED,
                                acceptance.audit())),
                theirs);
    }

    /** Returns whether a client that follows the first policy accepts and does nothing that the second one forbids. */
    private static boolean isNoWeaker(Policy theirs, Policy own) {
        return theirs.equals(own)
                || (theirs.quality().protectsNoLessThan(own.quality())
                        && areSignersNoMore(theirs.signing(), own.signing())
                        && areReadersNoMore(theirs, own)
                        && isAcceptanceNoWeaker(theirs, own)
                        && isEnforcementNoWeaker(theirs.enforcement(), own.enforcement()));
    }

    private static boolean areSignersNoMore(Policy.Signing theirs, Policy.Signing own) {
        boolean isAlgorithmKept =
                own.algorithm() == SignatureAlgorithm.SHA_512 || theirs.algorithm() == own.algorithm();
        return isAlgorithmKept
                && areNamesNoMore(theirs.signers(), own.signers())
                && own.brokers().containsAll(theirs.brokers());
    }

    /** Returns whether a list of signers allows no more than another one. An empty list allows each trusted signer. */
    private static boolean areNamesNoMore(List<String> theirs, List<String> own) {
        return own.isEmpty() || (!theirs.isEmpty() && own.containsAll(theirs));
    }

    /** Returns whether messages have readers, none of them new, and data keys that live no longer. */
    private static boolean areReadersNoMore(Policy theirs, Policy own) {
        if (!theirs.quality().encrypts()) {
            return true;
        }
        List<String> readers = theirs.encryption().recipients();
        if (readers.isEmpty()) {
            return false;
        }
        KeyLimits limits = theirs.encryption().limits();
        KeyLimits ownLimits = own.encryption().limits();
        boolean areKeysReused = theirs.quality().reusesKeys();
        return !own.quality().encrypts()
                || (own.encryption().recipients().containsAll(readers)
                        && (own.encryption().mutualTrust()
                                || !theirs.encryption().mutualTrust())
                        && (!areKeysReused
                                || (limits.messages() <= ownLimits.messages()
                                        && limits.bytes() <= ownLimits.bytes()
                                        && limits.age().compareTo(ownLimits.age()) <= 0)));
    }

    private static boolean isAcceptanceNoWeaker(Policy theirs, Policy own) {
        Policy.Acceptance more = theirs.acceptance();
        Policy.Acceptance less = own.acceptance();
        if (less.legacy() == LegacyAlgorithms.REFUSED && more.legacy() == LegacyAlgorithms.ACCEPTED) {
            return false;
        }
        if (own.quality() == QualityOfProtection.NONE) {
            return true; // messages in clear are accepted and sent
        }
        Instant until = more.toleration().until();
        Instant ownUntil = less.toleration().until();
        boolean isToleratedNoLonger = until == null || (ownUntil != null && !until.isAfter(ownUntil));
        return isToleratedNoLonger
                && switch (less.where()) {
                    case BROKER -> true;
                    case EITHER -> more.where() != SealingPlace.BROKER;
                    case CLIENT -> more.where() == SealingPlace.CLIENT;
                };
    }

    /** A window of another length is weaker: a shorter one forgets earlier, and a longer one accepts older messages. */
    private static boolean isEnforcementNoWeaker(Policy.Enforcement theirs, Policy.Enforcement own) {
        return (own.extraRecipients() || !theirs.extraRecipients())
                && (own.require() == Policy.RequiredKeys.EITHER || theirs.require() == own.require())
                && (own.replayWindow() == null || own.replayWindow().equals(theirs.replayWindow()))
                && theirs.hide().containsAll(own.hide());
    }

    /** Tells whether this set may apply the policy to an address. */
    @Override
    public boolean applies(EffectivePolicy effective) {
        return super.applies(effective)
                || other.named(effective.policy().pattern())
                        .map(theirs -> with(effective.policy().with(theirs.openFailures()), effective))
                        .filter(other::applies)
                        .isPresent();
    }

    @Override
    public boolean equals(Object compared) {
        return compared instanceof TightenedPolicies tightened
                && super.equals(tightened)
                && tightened.other.equals(other);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + other.hashCode();
    }
}
