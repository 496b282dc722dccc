/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.security.cert.X509Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.codec.KeptUnlessRefused;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.envelope.message.VerifiedSigner;
import org.signetmq.policy.QualityOfProtection;

/**
 * One envelope of a message, opened and found right by itself, or a piece of a message in clear. It is to be accepted,
 * once it was found to follow the one before, and closed.
 *
 * @param verified the entity where it lies: valid until the memory of the envelope is used again
 * @param head the entity without its payload; null for a message in clear
 * @param payload the part of the entity behind the header
 * @param sender the proved sender, or null
 */
public record OpenedPart(
        VerifiedContent verified,
        @Nullable Entity head,
        Slice payload,
        @Nullable String sender) implements AutoCloseable {
    private static final byte[] NO_BYTES = {};

    /** A piece of a message in clear. */
    public static OpenedPart inClear(Slice piece) {
        return new OpenedPart(
                new VerifiedContent(EnvelopeStructure.Clear.INSTANCE, piece, null, null), null, piece, null);
    }

    private QualityOfProtection quality() {
        return verified.structure().quality();
    }

    private @Nullable VerifiedSigner signer() {
        return verified.signer();
    }

    /** Names may change while a message is read; its certificate may not. */
    private @Nullable X509Certificate certificate() {
        VerifiedSigner signer = verified.signer();
        return signer == null ? null : signer.certificate();
    }

    /** It is the part that must follow: what serves the next one is remembered. */
    public void accept(KeptUnlessRefused kept) {
        verified.accept(kept);
    }

    @Override
    public void close() {
        verified.close();
    }

    /** The place in a large message, or null. */
    @Nullable
    Segment segment() {
        return head == null ? null : head.segment();
    }

    /** Whether all is alike but place and payload. */
    boolean isOfTheSameMessageAs(OpenedPart other) {
        return quality() == other.quality()
                && Objects.equals(certificate(), other.certificate())
                && head != null
                && other.head != null
                && head.messageId().equals(other.head.messageId())
                && head.contentType().equals(other.head.contentType())
                && head.address().equals(other.head.address())
                && head.body().equals(other.head.body())
                && head.attribution().equals(other.head.attribution())
                && head.properties().equals(other.head.properties());
    }

    /** The part as others may have it: its payload is copied. */
    public OpenedMessage message() {
        byte[] copy = payload.copy();
        return new OpenedMessage(quality(), head == null ? null : head.with(copy), copy, signer(), sender);
    }

    /** All about the message but its payload. */
    OpenedMessage facts() {
        return new OpenedMessage(quality(), head, NO_BYTES, signer(), sender);
    }

    /**
     * What goes into the entity of the whole message: the header once, and the payload.
     *
     * @throws UnprotectedMessageException if it is in clear
     */
    public Slice entityPiece() {
        if (head == null) {
            throw new UnprotectedMessageException("message: in clear, not an envelope");
        }
        return head.segment() == null || head.segment().number() == 1 ? verified.content() : payload;
    }
}
