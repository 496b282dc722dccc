/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.seal.EnvelopeSealer;
import org.signetmq.envelope.internal.seal.EnvelopeSealer.EnvelopeSource;
import org.signetmq.envelope.internal.seal.SealingPlan.MessageDataKeys;
import org.signetmq.envelope.internal.seal.SealingPlanCache;
import org.signetmq.envelope.internal.signature.SignerProfile.SignerProfiles;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyPregenerator;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;

/** Makes envelopes of any header with real keys, also segments that no sealer would write. */
public final class SegmentForge implements AutoCloseable {
    /** The policy, the signer and the head of a message. */
    public record Kind(Policy policy, Identity signer, ClearMessage head, byte[] messageId) {
        public Kind with(Policy other) {
            return new Kind(other, signer, head, messageId);
        }

        public Kind with(Identity other) {
            return new Kind(policy, other, head, messageId);
        }

        public Kind with(ClearMessage other) {
            return new Kind(policy, signer, other, messageId);
        }

        public Kind with(byte[] other) {
            return new Kind(policy, signer, head, other);
        }
    }

    private final SealingPlanCache plans;
    private final EnvelopeSealer maker;

    public SegmentForge(Parties parties) {
        this(parties.home, Clock.systemUTC());
    }

    SegmentForge(Home home, Clock clock) {
        var directory = home.recipientDirectory();
        var trust = home.certificateTrust();
        this.plans = new SealingPlanCache(
                directory, trust, KeyPregenerator.onThisMachine(PregenerationSettings.OFF, CryptoProviders.standard()));
        this.maker = new EnvelopeSealer(
                new SignerProfiles(directory, trust, clock), trust, clock, CryptoProviders.standard());
    }

    public static ClearMessage head() {
        return new ClearMessage(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[0], "alice", Map.of("Region", "eu"));
    }

    public byte[] envelope(Kind kind, byte[] payload, @Nullable Segment segment) {
        EnvelopeSource piece = new EnvelopeSource(kind.head(), Slice.of(payload), kind.messageId(), segment, null);
        try (MessageDataKeys keys =
                new MessageDataKeys(plans.of(new EffectivePolicy(kind.policy(), 17), kind.signer()))) {
            return maker.make(piece, kind.signer(), keys).array();
        }
    }

    /** Makes a sound message of these payloads. */
    public List<byte[]> message(Kind kind, byte[]... pieces) {
        List<byte[]> segments = new ArrayList<>();
        for (int i = 0; i < pieces.length; i++) {
            segments.add(envelope(kind, pieces[i], new Segment(i + 1, i + 1 == pieces.length)));
        }
        return segments;
    }

    @Override
    public void close() {
        plans.close();
        maker.close();
    }
}
