/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.signetmq.envelope.BodyReplacement;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** Seals messages, and checks envelopes of clients. Each broker has one instance. Thread-safe. */
public class CryptoService implements AutoCloseable {
    /** Makes the service of a broker. */
    @FunctionalInterface
    public interface Factory {
        CryptoService create(
                RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration);
    }

    private final Sealer sealer;
    private final EnvelopeCheck check;

    public CryptoService(RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration) {
        CryptoProviders providers = CryptoProviders.standard();
        sealer = Sealer.create(providers, certificates, trust, pregeneration);
        check = EnvelopeCheck.create(certificates, trust, providers);
    }

    /** See {@link Sealer#seal(ClearMessage, EffectivePolicy, Identity)}. */
    public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
        return sealer.seal(message, policy, signer);
    }

    /** Returns whether one envelope takes a payload of this length in bytes. */
    public static boolean fitsOneEnvelope(int length) {
        return length <= SegmentSealer.SEGMENT_LENGTH;
    }

    /** See {@link Sealer#seal(ClearMessage, BodyReplacement, EffectivePolicy, Identity)}. */
    public void seal(ClearMessage head, BodyReplacement body, EffectivePolicy policy, Identity signer) {
        sealer.seal(head, body, policy, signer);
    }

    /** Seals a message as one envelope, or as a series of segments if the payload is too long for one. */
    public final byte[] sealWhole(ClearMessage message, EffectivePolicy policy, Identity signer) {
        byte[] payload = message.payload();
        boolean encoded = message.body().encoding() != PayloadEncoding.NONE;
        if (encoded || fitsOneEnvelope(payload.length)) {
            return seal(message, policy, signer);
        }
        ClearMessage head = new ClearMessage(
                message.address(),
                message.body(),
                new byte[0],
                message.sender(),
                message.properties(),
                message.messageId());
        ByteArrayOutputStream whole = new ByteArrayOutputStream(payload.length + payload.length / 64);
        try (SegmentSealer segments = segments(head, policy, signer, whole::write)) {
            segments.add(payload, 0, payload.length);
            segments.finish();
        } catch (IOException impossible) {
            throw new IllegalStateException("memory: cannot be written", impossible);
        }
        return whole.toByteArray();
    }

    /** See {@link Sealer#segments}. */
    public SegmentSealer segments(ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink) {
        return sealer.segments(head, policy, signer, sink);
    }

    /** See {@link EnvelopeCheck#satisfies}. */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
        return check.satisfies(bytes, address, policy, senders);
    }

    /** See {@link EnvelopeCheck#require}. */
    public EnvelopeChain require(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
        return check.require(bytes, address, policy, senders);
    }

    /** See {@link EnvelopeCheck#chain}. */
    public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
        return check.chain(address, policy, senders);
    }

    /** See {@link Sealer#retain}. */
    public void retain(PolicySet policies) {
        sealer.retain(policies);
    }

    /** See {@link Sealer#newMessageId}. */
    public final String newMessageId() {
        return sealer.newMessageId();
    }

    /** See {@link Sealer#begunKeys}. */
    public final long begunKeys() {
        return sealer.begunKeys();
    }

    /** See {@link Sealer#keyWaits}. */
    public long dryTakes() {
        return sealer.keyWaits();
    }

    @Override
    public void close() {
        sealer.close();
    }
}
