/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** All the cryptography that the plugin asks for. One per broker. Thread-safe. */
public interface Protector extends AutoCloseable {
    /** Makes a protector that works with these certificates. */
    @FunctionalInterface
    interface Factory {
        Protector create(RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration);
    }

    /** See {@link Sealer#seal}. */
    byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer);

    /** As one envelope, or as segments one after the other if it is too long for that. */
    default byte[] sealWhole(ClearMessage message, EffectivePolicy policy, Identity signer) {
        byte[] payload = message.payload();
        boolean encoded = message.body().encoding() != PayloadEncoding.NONE;
        if (encoded || payload.length <= SegmentSealer.SEGMENT_LENGTH) {
            return seal(message, policy, signer);
        }
        ClearMessage head = new ClearMessage(
                message.address(), message.body(), new byte[0], message.sender(), message.properties());
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
    SegmentSealer segments(ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink);

    /** See {@link EnvelopeCheck#satisfies}. */
    boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders);

    /** See {@link EnvelopeCheck#chain}. */
    EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders);

    /** See {@link Sealer#retain}. */
    void retain(PolicySet policies);

    /** See {@link Sealer#dryTakes}. */
    long dryTakes();

    @Override
    void close();

    /** CMS envelopes. */
    static Protector cms(RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration) {
        Sealer sealer = Sealer.create(certificates, trust, Clock.systemUTC(), pregeneration);
        EnvelopeCheck check = EnvelopeCheck.create(certificates, trust);
        return new Protector() {
            @Override
            public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
                return sealer.seal(message, policy, signer);
            }

            @Override
            public SegmentSealer segments(
                    ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink) {
                return sealer.segments(head, policy, signer, sink);
            }

            @Override
            public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
                return check.satisfies(bytes, address, policy, senders);
            }

            @Override
            public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
                return check.chain(address, policy, senders);
            }

            @Override
            public void retain(PolicySet policies) {
                sealer.retain(policies);
            }

            @Override
            public long dryTakes() {
                return sealer.dryTakes();
            }

            @Override
            public void close() {
                sealer.close();
            }
        };
    }
}
