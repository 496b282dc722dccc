/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.time.Clock;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.seal.EnvelopeMaker;
import org.signetmq.envelope.internal.seal.MessageKeys;
import org.signetmq.envelope.internal.seal.Piece;
import org.signetmq.envelope.internal.seal.SealingPlans;
import org.signetmq.envelope.internal.signature.SignerProfiles;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/**
 * Protects messages. One per broker or client, shared by all its threads: data keys are shared by all of them. Needs no
 * broker and no JMS.
 */
public final class Sealer implements AutoCloseable {
    private final SealingPlans plans;
    private final EnvelopeMaker envelopes;

    private Sealer(RecipientDirectory recipients, CertificateTrust trust, Clock clock, PregenerationSettings settings) {
        this.plans = new SealingPlans(recipients, trust, settings);
        this.envelopes = new EnvelopeMaker(new SignerProfiles(recipients, trust, clock), trust, clock);
    }

    /**
     * A sealer for recipients of this directory.
     *
     * @param recipients finds the certificates that policies name
     * @param trust decides whether they may be used
     */
    public static Sealer create(RecipientDirectory recipients, CertificateTrust trust) {
        return create(recipients, trust, Clock.systemUTC());
    }

    /** As {@link #create(RecipientDirectory, CertificateTrust)}, by this clock. */
    public static Sealer create(RecipientDirectory recipients, CertificateTrust trust, Clock clock) {
        return create(recipients, trust, clock, PregenerationSettings.AUTO);
    }

    /** As {@link #create(RecipientDirectory, CertificateTrust, Clock)}, with keys made ahead of need as these say. */
    public static Sealer create(
            RecipientDirectory recipients, CertificateTrust trust, Clock clock, PregenerationSettings settings) {
        return new Sealer(recipients, trust, clock, settings);
    }

    /** How often a message waited for a data key to be wrapped because none was ready. */
    public long dryTakes() {
        return plans.pregenerator().dryTakes();
    }

    /**
     * Seals a message as the policy says.
     *
     * @param signer who signs, if the policy signs
     * @return one DER envelope (CMS ContentInfo); for quality none the payload itself
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
        try (MessageKeys keys = new MessageKeys(plans.of(policy))) {
            return envelopes.make(Piece.of(message), keys.plan(), signer, keys).array();
        }
    }

    /**
     * Wipes the keys of policies that are not among these as they were, and of recipients whose certificates changed.
     * Sealing heeds every change without this; it leaves no keys behind for policies and recipients that have no next
     * message. Cheap if nothing changed.
     */
    public void retain(PolicySet policies) {
        plans.retain(policies);
    }

    /**
     * Begins to seal a large message, whose payload comes in parts. Close what is returned. For quality none the parts
     * are passed on as they are.
     *
     * @param head the message, its payload empty
     * @param signer who signs, if the policy signs
     * @param sink takes the envelopes
     * @throws IllegalArgumentException if the head has a payload
     * @see #seal for what else is thrown, here or when parts are added
     */
    public SegmentSealer segments(ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink) {
        if (head.payload().length != 0 || head.body().encoding() != PayloadEncoding.NONE) {
            throw new IllegalArgumentException("message: the payload of its head must be empty and not encoded, found "
                    + head.payload().length + " bytes");
        }
        if (!EnvelopeStructure.of(policy.policy()).isEnvelope()) {
            return new SegmentSealer((payload, segment, memory) -> payload, () -> {}, sink);
        }
        byte[] messageId = envelopes.newMessageId();
        MessageKeys keys = new MessageKeys(plans.of(policy));
        return new SegmentSealer(
                (payload, segment, memory) ->
                        envelopes.make(new Piece(head, payload, messageId, segment, memory), keys.plan(), signer, keys),
                keys::close,
                sink);
    }

    /** How many bytes sealing adds at most to the payload of this message under this policy. */
    public int overhead(ClearMessage message, EffectivePolicy policy, Identity signer) {
        if (!EnvelopeStructure.of(policy.policy()).isEnvelope()) {
            return 0;
        }
        return envelopes.overhead(Piece.of(message), plans.of(policy), signer);
    }

    /** Wipes all keys once nobody uses them. Sealing afterwards is an IllegalStateException. */
    @Override
    public void close() {
        plans.close();
        envelopes.close();
    }
}
