/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.entity.PercentEncoding;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.signature.SignerProfile.SignerProfiles;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.KeyEpochs;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.keys.KeyPregenerator;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;

/** A policy with its recipients and data keys. Valid until the policy, the directory or trust changes. */
public final class SealingPlan implements AutoCloseable {
    /** The milliseconds between checks of the recipients, because certificates expire without a change. */
    private static final long RECHECK_MILLIS = 30_000;

    /**
     * The policy and the versions from which a plan was made.
     *
     * @param sender the identity that agrees on the data keys; null if ephemeral keys do
     */
    record Basis(EffectivePolicy policy, @Nullable Identity sender, long directoryVersion, long trustVersion) {
        @SuppressWarnings("ReferenceEquality") // a renewed identity is another one
        boolean isStill(EffectivePolicy other, @Nullable Identity by, long directory, long trust) {
            return policy.equals(other) && sender == by && directoryVersion == directory && trustVersion == trust;
        }
    }

    private final Basis basis;
    private final String encodedReference;
    private final List<Recipient> recipients;
    private final @Nullable KeyEpochs epochs;
    /** The recipients with post-quantum keys, whose envelope goes around the other one; null if there are none. */
    private final @Nullable SealingPlan outer;

    private volatile long checkedAt;

    private SealingPlan(
            Basis basis, List<Recipient> recipients, @Nullable KeyEpochs epochs, @Nullable SealingPlan outer) {
        this.basis = basis;
        this.encodedReference = PercentEncoding.encode(basis.policy().reference());
        this.recipients = recipients;
        this.epochs = epochs;
        this.outer = outer;
    }

    /** Makes a plan. It takes over the keys of the last plan if neither policy nor recipients changed. */
    static SealingPlan make(
            Basis basis, RecipientDirectory directory, KeyPregenerator pregenerator, @Nullable SealingPlan last) {
        Policy policy = basis.policy().policy();
        if (!EnvelopeStructure.of(policy).isEncrypted()) {
            return new SealingPlan(basis, List.of(), null, null);
        }
        List<String> names = policy.encryption().recipients();
        List<Recipient> recipients = recipients(policy, names, directory);
        List<Recipient> postQuantum = List.of();
        if (policy.enforcement().require() == RequiredKeys.BOTH) {
            postQuantum = recipients(
                    policy, names.stream().map(RequiredKeys::companionOf).toList(), directory);
            requireKinds(recipients, postQuantum);
        }
        if (last != null && last.serves(basis, recipients, postQuantum)) {
            return new SealingPlan(basis, recipients, last.epochs, last.outer);
        }
        SealingPlan outer = postQuantum.isEmpty()
                ? null
                : withNewKeys(
                        new Basis(basis.policy(), null, basis.directoryVersion(), basis.trustVersion()),
                        postQuantum,
                        null,
                        pregenerator);
        return withNewKeys(basis, recipients, outer, pregenerator);
    }

    private static void requireKinds(List<Recipient> classical, List<Recipient> postQuantum) {
        Stream.concat(
                        classical.stream().filter(SealingPlan::isPostQuantum),
                        postQuantum.stream().filter(recipient -> !isPostQuantum(recipient)))
                .findFirst()
                .ifPresent(recipient -> {
                    throw new KeystoreUnusableException("recipient '" + recipient.name()
                            + "': its key is of the wrong kind; with 'require: both' NAME has an RSA or EC key, and"
                            + " NAME.pq an ML-KEM key");
                });
    }

    private static boolean isPostQuantum(Recipient recipient) {
        return KeyAlgorithm.postQuantum(recipient.certificate().getPublicKey()).isPresent();
    }

    private static SealingPlan withNewKeys(
            Basis basis, List<Recipient> recipients, @Nullable SealingPlan outer, KeyPregenerator pregenerator) {
        Policy policy = basis.policy().policy();
        KeyLimits limits = EnvelopeStructure.of(policy).sharesDataKeys()
                ? policy.encryption().limits()
                : KeyLimits.FRESH_KEY;
        RecipientWrapping wrapping = RecipientWrapping.of(
                recipients, basis.sender(), limits.age(), System::nanoTime, pregenerator.providers());
        KeyEpochs epochs =
                new KeyEpochs(wrapping, new EpochLimits(limits.messages(), limits.bytes(), limits.age()), pregenerator);
        return new SealingPlan(basis, recipients, epochs, outer);
    }

    /** Makes a plan with own keys for a message that outlives the keys of this plan. */
    SealingPlan withKeysOfItsOwn() {
        return withNewKeys(
                basis,
                recipients,
                null,
                KeyPregenerator.onThisMachine(PregenerationSettings.OFF, epochs().providers()));
    }

    private static List<Recipient> recipients(Policy policy, List<String> names, RecipientDirectory directory) {
        Map<PublicKeyInfo, Recipient> distinct = new LinkedHashMap<>();
        for (String selector : names) {
            if (EffectivePolicy.isIncomplete(selector)) {
                throw new KeystoreUnusableException("policy '" + policy.pattern() + "': no name for its recipient '"
                        + selector.substring(1)
                        + "'; a word of the address in place of a variable must have 1 to 64 letters, digits, '.', '_'"
                        + " and '-', and no capital letters in a distinguished name");
            }
            Recipient recipient = directory
                    .find(selector)
                    .orElseThrow(() -> new KeystoreUnusableException("recipient '" + selector
                            + "': no such certificate; put its PEM file into the folder recipients"));
            distinct.putIfAbsent(PublicKeyInfo.of(recipient.certificate()), recipient);
        }
        if (distinct.size() > Limits.RECIPIENTS) {
            throw new KeystoreUnusableException("policy '" + policy.pattern() + "': encrypts to " + distinct.size()
                    + " recipients; no reader opens an envelope for more than " + Limits.RECIPIENTS);
        }
        if (distinct.isEmpty()) {
            throw new KeystoreUnusableException("policy '" + policy.pattern() + "': encrypts to no recipient");
        }
        return List.copyOf(distinct.values());
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean serves(Basis other, List<Recipient> others, List<Recipient> postQuantum) {
        return epochs != null
                && basis.policy().policy().equals(other.policy().policy())
                && basis.sender() == other.sender()
                && recipients.equals(others)
                && postQuantum.equals(outer == null ? List.of() : outer.recipients);
    }

    boolean sharesKeysWith(SealingPlan other) {
        return epochs == other.epochs;
    }

    Basis basis() {
        return basis;
    }

    /** {@code pattern@version}, percent-encoded. */
    String encodedReference() {
        return encodedReference;
    }

    /** The data keys of a policy that encrypts. */
    public KeyEpochs epochs() {
        if (epochs == null) {
            throw new IllegalStateException("plan: does not encrypt");
        }
        return epochs;
    }

    /**
     * Checks that every recipient may still be used, and the sender that agreed with them.
     *
     * @throws org.signetmq.keystore.CertificateRejectedException if one may not
     * @throws SignerNotAuthorizedException if the policy does not allow the sender
     */
    void checkParties(SignerProfiles signers, CertificateTrust trust, Clock clock) {
        long now = clock.millis();
        if (recipients.isEmpty() || Math.abs(now - checkedAt) < RECHECK_MILLIS) {
            return;
        }
        for (Recipient recipient : recipients) {
            trust.check(recipient.certificate(), List.of(), CertificateUse.RECEIVING, Instant.ofEpochMilli(now));
        }
        if (outer != null) {
            outer.checkParties(signers, trust, clock);
        }
        if (basis.sender() != null) {
            signers.requireSender(basis.sender(), basis.policy().policy());
        }
        checkedAt = now;
    }

    @Override
    public void close() {
        if (epochs != null) {
            epochs.close();
        }
        if (outer != null) {
            outer.close();
        }
    }

    /** The data keys of one message: those of its policy, or own keys after a change of policy. Thread-safe. */
    public static final class MessageDataKeys implements AutoCloseable {
        private final SealingPlan shared;
        private final @Nullable MessageDataKeys outer;
        private SealingPlan plan;

        public MessageDataKeys(SealingPlan shared) {
            this.shared = shared;
            this.plan = shared;
            this.outer = shared.outer == null ? null : new MessageDataKeys(shared.outer);
        }

        /** The keys of the envelope around the other one; null if there is none. */
        @Nullable
        MessageDataKeys outer() {
            return outer;
        }

        /** The plan at the start of the message: its recipients do not change until its end. */
        SealingPlan plan() {
            return shared;
        }

        synchronized KeyLease next(long contentLength) {
            KeyLease use = plan.epochs().next(contentLength);
            if (use == null) {
                plan = shared.withKeysOfItsOwn();
                use = plan.epochs().next(contentLength);
            }
            if (use == null) {
                throw new IllegalStateException("data key: retired while in use");
            }
            return use;
        }

        @Override
        public synchronized void close() {
            if (plan != shared) {
                plan.close();
            }
            if (outer != null) {
                outer.close();
            }
        }
    }
}
