/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.security.cert.X509Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.DataKeyFinder.OpenedDataKey;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.envelope.message.OpenedMessage.VerifiedSigner;
import org.signetmq.envelope.message.Segment;
import org.signetmq.policy.Policy;

/**
 * One opened and verified envelope of a message, or a chunk of a message in clear. The caller accepts it after a check
 * of its position, and closes it.
 *
 * @param verified the entity, valid until the next use of the buffers
 * @param head the entity without its payload; null for a message in clear
 * @param payload the part of the entity behind the header
 */
public record OpenedPart(
        VerifiedContent verified,
        @Nullable Entity head,
        Slice payload,
        @Nullable String sender) implements AutoCloseable {
    private static final byte[] NO_BYTES = {};

    /** Returns a chunk of a message in clear. */
    public static OpenedPart inClear(Slice chunk) {
        return new OpenedPart(new VerifiedContent(EnvelopeStructure.CLEAR, chunk, null, null), null, chunk, null);
    }

    /** The signer's certificate, or null. It must not change while a message is read; its name may. */
    private @Nullable X509Certificate certificate() {
        VerifiedSigner signer = verified.signer();
        return signer == null ? null : signer.certificate();
    }

    /** Accepts the part as the next one, and remembers its keys and certificate for the following part. */
    public void accept(PendingCacheEntries kept) {
        verified.accept(kept);
    }

    @Override
    public void close() {
        verified.close();
    }

    /** The position in a large message, or null. */
    @Nullable
    Segment segment() {
        return head == null ? null : head.segment();
    }

    /** Tells whether both parts differ only in position and payload. */
    boolean isOfTheSameMessageAs(OpenedPart other) {
        return verified.structure().equals(other.verified.structure())
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

    /** Returns the part as a message with a copy of the payload. */
    public OpenedMessage message() {
        byte[] copy = payload.copy();
        return message(head == null ? null : head.with(copy), copy);
    }

    /** Returns the message without its payload. */
    public OpenedMessage facts() {
        return message(head, NO_BYTES);
    }

    /** Returns the whole message with this payload. This part is its first one. */
    public OpenedMessage whole(byte[] all) {
        return message(head == null ? null : head.whole(all), all);
    }

    private OpenedMessage message(@Nullable Entity entity, byte[] bytes) {
        return new OpenedMessage(verified.structure().quality(), entity, bytes, verified.signer(), sender);
    }

    /**
     * Returns the bytes of this part in the entity of the whole message: the payload, and the header in the first part.
     *
     * @throws UnprotectedMessageException if the message is in clear
     */
    public Slice entityBytes() {
        if (head == null) {
            throw new UnprotectedMessageException("message: in clear, not an envelope");
        }
        return head.segment() == null || head.segment().number() == 1 ? verified.content() : payload;
    }

    /**
     * The content of an envelope with a verified signature or proof of its sender, and a verified tag. The caller
     * accepts it after all checks of the message, which caches its key and certificate, and closes it in any case. The
     * content lies in the buffers or in the envelope.
     */
    record VerifiedContent(
            EnvelopeStructure structure,
            Slice content,
            SignatureVerifier.@Nullable Verified signature,
            @Nullable OpenedDataKey key)
            implements AutoCloseable {
        /** Adds the key of the envelope around this one, which is accepted and closed with it. */
        VerifiedContent inside(OpenedDataKey outer) {
            Objects.requireNonNull(key).inside(outer);
            return this;
        }

        /** The signer, or null. */
        @Nullable
        VerifiedSigner signer() {
            return signature == null ? null : signature.signer();
        }

        /** The sender in the header if a broker identity of the policy signed it, else null. */
        @Nullable
        String provedSender(Entity head, @Nullable Policy policy) {
            String named = head.attribution().sender();
            return named != null && signature != null && signature.isBroker(policy) ? named : null;
        }

        /** Accepts the message, or a part of it, and keeps its key and certificate in the caches. */
        void accept(PendingCacheEntries kept) {
            if (signature != null) {
                signature.accept(kept);
            }
            if (key != null) {
                key.accept(kept);
            }
        }

        @Override
        public void close() {
            if (key != null) {
                key.close();
            }
        }
    }
}
