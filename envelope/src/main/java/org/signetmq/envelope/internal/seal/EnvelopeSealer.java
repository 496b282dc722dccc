/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.time.Clock;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.AuthEnvelopedDataWriter;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.codec.CodecBuffers;
import org.signetmq.envelope.internal.codec.CodecBuffers.CodecBufferPool;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.DerWriter.EncodingMemory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.Deflation;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.seal.SealingPlan.MessageDataKeys;
import org.signetmq.envelope.internal.signature.SharedSignatures;
import org.signetmq.envelope.internal.signature.SignedDataWriter;
import org.signetmq.envelope.internal.signature.SignerProfile;
import org.signetmq.envelope.internal.signature.SignerProfile.SignerProfiles;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.Policy;

/** Makes envelopes of whole messages and of segments. Thread-safe. */
public final class EnvelopeSealer implements AutoCloseable {
    private static final String NAME = "sealer";

    private final SignerProfiles signers;
    private final CertificateTrust trust;
    private final Clock clock;
    private final CodecBufferPool bufferPool;

    public EnvelopeSealer(SignerProfiles signers, CertificateTrust trust, Clock clock, CryptoProviders providers) {
        this.signers = signers;
        this.trust = trust;
        this.clock = clock;
        this.bufferPool = new CodecBufferPool(providers);
    }

    /** Returns a new, unique message identifier. */
    public byte[] newMessageId() {
        CodecBuffers buffers = bufferPool.take(NAME);
        byte[] id = buffers.newMessageId();
        bufferPool.giveBack(buffers);
        return id;
    }

    /** Makes an envelope by the policy of the keys' plan. The structure of the policy must be an envelope. */
    public Slice make(EnvelopeSource source, Identity signer, MessageDataKeys keys) {
        SealingPlan plan = keys.plan();
        Policy policy = plan.basis().policy().policy();
        EnvelopeStructure structure = EnvelopeStructure.of(policy);
        SignerProfile profile = structure.isSigned() ? signers.of(signer, policy) : null;
        plan.checkParties(signers, trust, clock);
        Slice envelope;
        CodecBuffers buffers = bufferPool.take(NAME);
        try {
            byte[] given = source.messageId() == null ? EnvelopeSource.givenId(source.message()) : source.messageId();
            byte[] messageId = given == null ? buffers.newMessageId() : given;
            buffers.header().write(source.message(), messageId, plan.encodedReference(), source.segment());
            SignedDataWriter signature = profile == null ? null : sign(source, profile, buffers);
            envelope = structure.isEncrypted()
                    ? encrypt(source, signature, keys, buffers)
                    : assembled(source, signature, buffers);
        } catch (RuntimeException | Error failed) {
            buffers.close(); // their state is unknown
            throw failed;
        }
        bufferPool.giveBack(buffers);
        return envelope;
    }

    private SignedDataWriter sign(EnvelopeSource source, SignerProfile signer, CodecBuffers buffers) {
        Slice payload = source.payload();
        int length = buffers.header().length() + payload.length();
        // the signature of a segment costs little beside its bytes
        SharedSignatures sharing = source.segment() == null ? signer.sharing() : null;
        if (sharing == null) {
            return SignedDataWriter.sign(signer, buffers.digest(payload), length, clock.instant());
        }
        SignedDataWriter shared =
                sharing.beginAlone() ? null : sharing.join(buffers.listedHash(payload), length, clock);
        if (shared != null) {
            return shared;
        }
        try {
            return SignedDataWriter.sign(signer, buffers.digest(payload), length, clock.instant());
        } finally {
            sharing.endAlone();
        }
    }

    private static Slice assembled(EnvelopeSource source, @Nullable SignedDataWriter signature, CodecBuffers buffers) {
        DerWriter writer = DerWriter.in(source.memory(), contentLength(source.payload(), signature, buffers));
        write(source.payload(), signature, buffers, writer);
        return writer.whole();
    }

    private static Slice encrypt(
            EnvelopeSource source, @Nullable SignedDataWriter signature, MessageDataKeys keys, CodecBuffers buffers) {
        MessageDataKeys outer = keys.outer();
        int contentLength = contentLength(source.payload(), signature, buffers);
        Slice sealed;
        try (KeyLease use = keys.next(contentLength)) {
            AuthEnvelopedDataWriter envelope =
                    new AuthEnvelopedDataWriter(use, contentLength, outer == null ? source.memory() : null);
            write(source.payload(), signature, buffers, envelope.content());
            sealed = envelope.seal(use, buffers.cipher());
        }
        if (outer == null) {
            return sealed;
        }
        try (KeyLease use = outer.next(sealed.length())) {
            AuthEnvelopedDataWriter envelope = new AuthEnvelopedDataWriter(use, sealed.length(), source.memory());
            envelope.content().raw(sealed.array(), sealed.offset(), sealed.length());
            return envelope.seal(use, buffers.cipher());
        }
    }

    private static int contentLength(Slice payload, @Nullable SignedDataWriter signature, CodecBuffers buffers) {
        long length =
                (long) payload.length() + buffers.header().length() + (signature == null ? 0 : signature.length());
        if (length > Integer.MAX_VALUE - HeaderName.MOST_HEADER_BYTES) {
            throw new IllegalArgumentException("message: too large for one envelope: " + payload.length() + " bytes");
        }
        return (int) length;
    }

    private static void write(
            Slice payload, @Nullable SignedDataWriter signature, CodecBuffers buffers, DerWriter writer) {
        HeaderWriter header = buffers.header();
        if (signature != null) {
            signature.writeBefore(writer);
        }
        writer.raw(header.buffer(), 0, header.length()).raw(payload.array(), payload.offset(), payload.length());
        if (signature != null) {
            signature.writeAfter(writer);
        }
    }

    @Override
    public void close() {
        bufferPool.close();
    }

    /**
     * The input of one envelope.
     *
     * @param message the values of the header, except the segment
     * @param payload the payload of this envelope: all of the message or one segment
     * @param messageId 16 bytes; null for the identifier of the message
     * @param segment the position in a large message, or null
     * @param memory takes the envelope; null for a new array
     */
    public record EnvelopeSource(
            ClearMessage message,
            Slice payload,
            byte @Nullable [] messageId,
            @Nullable Segment segment,
            @Nullable EncodingMemory memory) {
        /** Returns the identifier that a message has already; null if it has none. */
        public static byte @Nullable [] givenId(ClearMessage message) {
            String hex = message.messageId();
            return hex == null ? null : HexFormat.of().parseHex(hex);
        }

        /** Returns the source for a whole message. */
        public static EnvelopeSource of(ClearMessage message) {
            byte[] payload = message.body().encoding() == PayloadEncoding.DEFLATE
                    ? Deflation.deflate(message.payload())
                    : message.payload();
            return new EnvelopeSource(message, Slice.of(payload), null, null, null);
        }
    }
}
