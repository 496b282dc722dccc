/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.time.Clock;
import java.util.HexFormat;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.seal.EnvelopeSealer;
import org.signetmq.envelope.internal.seal.EnvelopeSealer.EnvelopeSource;
import org.signetmq.envelope.internal.seal.SealingPlan.MessageDataKeys;
import org.signetmq.envelope.internal.seal.SealingPlanCache;
import org.signetmq.envelope.internal.seal.SegmentBuffers;
import org.signetmq.envelope.internal.signature.SignerProfile.SignerProfiles;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyPregenerator;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** Seals messages, without broker or JMS. All threads share one sealer and its data keys. Thread-safe. */
public final class Sealer implements AutoCloseable {
    private final SealingPlanCache plans;
    private final EnvelopeSealer envelopes;
    private final SegmentBuffers.Pool segmentBuffers = new SegmentBuffers.Pool();

    private Sealer(RecipientDirectory recipients, CertificateTrust trust, Clock clock, KeyPregenerator pregenerator) {
        this.plans = new SealingPlanCache(recipients, trust, pregenerator);
        this.envelopes = new EnvelopeSealer(
                new SignerProfiles(recipients, trust, clock), trust, clock, pregenerator.providers());
    }

    /**
     * Creates a sealer with the providers of this machine.
     *
     * @param recipients finds the certificates that policies name
     * @param trust decides whether these certificates may be used
     */
    public static Sealer create(RecipientDirectory recipients, CertificateTrust trust) {
        return create(recipients, trust, Clock.systemUTC(), PregenerationSettings.AUTO);
    }

    /** Creates a sealer with another clock, and with settings for the generation of data keys in advance. */
    public static Sealer create(
            RecipientDirectory recipients, CertificateTrust trust, Clock clock, PregenerationSettings settings) {
        return new Sealer(
                recipients, trust, clock, KeyPregenerator.onThisMachine(settings, CryptoProviders.standard()));
    }

    /** Creates a sealer with these providers. */
    public static Sealer create(
            CryptoProviders providers,
            RecipientDirectory recipients,
            CertificateTrust trust,
            PregenerationSettings settings) {
        return new Sealer(recipients, trust, Clock.systemUTC(), KeyPregenerator.onThisMachine(settings, providers));
    }

    /** The number of messages that wrapped their own data key because none was ready. */
    public long keyWaits() {
        return plans.pregenerator().keyWaits();
    }

    /** The number of data keys that messages began to use. */
    public long begunKeys() {
        return plans.pregenerator().begunKeys();
    }

    /** Returns a new, unique identifier for a {@link ClearMessage}, in hex digits. */
    public String newMessageId() {
        return HexFormat.of().formatHex(envelopes.newMessageId());
    }

    /**
     * Seals a message by its policy.
     *
     * @param signer the signer, or the sender that agrees on the data keys, if the policy proves it
     * @return one DER envelope (CMS ContentInfo), which the caller owns; for quality none the payload itself
     * @throws SignerNotAuthorizedException if the signer is not on the policy's list
     * @throws org.signetmq.keystore.KeystoreUnusableException if a recipient is unknown or a key cannot be used
     * @throws org.signetmq.keystore.CertificateRejectedException if a recipient's or the signer's certificate may not
     *     be used
     * @throws IllegalArgumentException if address, sender and properties are too long for a header
     * @throws IllegalStateException after close
     */
    public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
        if (!EnvelopeStructure.of(policy.policy()).isEnvelope()) {
            return message.payload();
        }
        try (MessageDataKeys keys = new MessageDataKeys(plans.of(policy, signer))) {
            return envelopes.make(EnvelopeSource.of(message), signer, keys).array();
        }
    }

    /**
     * Seals a message by its policy into the memory that replaces its body.
     *
     * @param head the message with an empty payload that is not encoded
     * @param body the payload, and the memory for its envelope
     * @param signer the signer, or the sender that agrees on the data keys, if the policy proves it
     * @throws IllegalArgumentException if the head has a payload, or the policy has quality none
     * @see #seal(ClearMessage, EffectivePolicy, Identity) for further exceptions
     */
    public void seal(ClearMessage head, BodyReplacement body, EffectivePolicy policy, Identity signer) {
        requireHead(head);
        if (!EnvelopeStructure.of(policy.policy()).isEnvelope()) {
            throw new IllegalArgumentException("policy: makes no envelope: " + policy.reference());
        }
        EnvelopeSource source =
                new EnvelopeSource(head, Slice.of(body.payload()), null, null, length -> Slice.of(body.memory(length)));
        try (MessageDataKeys keys = new MessageDataKeys(plans.of(policy, signer))) {
            var unused = envelopes.make(source, signer, keys);
        }
    }

    private static void requireHead(ClearMessage head) {
        if (head.payload().length != 0 || head.body().encoding() != PayloadEncoding.NONE) {
            throw new IllegalArgumentException("message: the payload of its head must be empty and not encoded, found "
                    + head.payload().length + " bytes");
        }
    }

    /**
     * Wipes the data keys of policies that this set does not apply unchanged, and of policies with changed recipients,
     * those for recovery included. Sealing notices each change at the next message anyway; this call wipes keys that
     * have no next message. Cheap if nothing changed.
     */
    public void retain(PolicySet policies) {
        plans.retain(policies);
    }

    /**
     * Begins to seal a large message. Its payload comes in parts. The caller closes the result. For quality none the
     * sink takes the payload unchanged.
     *
     * @param head the message with an empty payload
     * @param signer the signer, or the sender that agrees on the data keys, if the policy proves it
     * @param sink takes the envelopes
     * @throws IllegalArgumentException if the head has a payload
     * @see #seal for further exceptions, here or when parts are added
     */
    public SegmentSealer segments(ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink) {
        requireHead(head);
        if (!EnvelopeStructure.of(policy.policy()).isEnvelope()) {
            return new SegmentSealer((payload, segment, buffer) -> payload, false, () -> {}, segmentBuffers, sink);
        }
        byte[] given = EnvelopeSource.givenId(head);
        byte[] messageId = given == null ? envelopes.newMessageId() : given;
        MessageDataKeys keys = new MessageDataKeys(plans.of(policy, signer));
        return new SegmentSealer(
                (payload, segment, buffer) ->
                        envelopes.make(new EnvelopeSource(head, payload, messageId, segment, buffer), signer, keys),
                EnvelopeStructure.of(policy.policy()).isEncrypted(),
                keys::close,
                segmentBuffers,
                sink);
    }

    /** Wipes all data keys after their last use. Sealing afterwards throws an IllegalStateException. */
    @Override
    public void close() {
        plans.close();
        envelopes.close();
        segmentBuffers.close();
    }
}
