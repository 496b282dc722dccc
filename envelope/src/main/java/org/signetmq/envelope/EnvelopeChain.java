/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.EnvelopeLength;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.open.ShortSegmentLimit;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.policy.Policy;

/**
 * Checks successive envelopes of one message: each one satisfies the policy, and the segments are complete and in
 * order. Only recipients see the order of encrypted segments. For one thread. {@link EnvelopeCheck#chain} creates it.
 */
public final class EnvelopeChain {
    /** The number of bytes that {@link #lengthOf} needs, unless the message is shorter. */
    public static final int HEAD_LENGTH = EnvelopeLength.HEAD;

    private final EnvelopeCheck check;
    private final EnvelopeCheck.Requirements required;
    private final OperationBudget budget = new OperationBudget();
    private final ShortSegmentLimit shortOnes = new ShortSegmentLimit();
    private final EntityReader reader = new EntityReader();
    private SignatureVerifier.@Nullable Verified signature;
    private @Nullable String messageId;
    private int count;
    private boolean ended;
    private boolean broken;

    EnvelopeChain(EnvelopeCheck check, EnvelopeCheck.Requirements required) {
        this.check = check;
        this.required = required;
    }

    /**
     * Returns the length in bytes that the envelope at the start of these bytes states. Returns -1 if no envelope of a
     * chain begins here. It verifies nothing.
     *
     * @param length the number of bytes, from the start of the array
     */
    public static int lengthOf(byte[] bytes, int length) {
        return lengthOf(new Slice(bytes, 0, length));
    }

    /** Tells whether these bytes have the structure of one envelope. It verifies nothing. */
    public static boolean isEnvelope(byte[] bytes, int offset, int length) {
        try {
            ParsedEnvelope unused = EnvelopeParser.parse(new Slice(bytes, offset, length));
            return true;
        } catch (EnvelopeException other) {
            return false;
        }
    }

    static int lengthOf(Slice envelope) {
        if (!EnvelopeParser.looksSealed(envelope.array(), envelope.offset(), envelope.length())) {
            return -1;
        }
        long stated = EnvelopeLength.of(envelope);
        return stated >= HEAD_LENGTH && stated <= EnvelopeSplitter.MOST_IN_ROW ? (int) stated : -1;
    }

    /**
     * Checks the next envelope. After the first failure every envelope fails.
     *
     * @return whether the envelope satisfies the policy and follows the last one
     * @throws SenderMismatchException if the only fault is the sender that the envelope names
     * @throws SignerRejectedException if the envelope is for this address, its signer is or may be revoked, and the
     *     rule is not {@link SenderRule#ANY}
     */
    public boolean accepts(byte[] bytes, int offset, int length) {
        count++;
        broken = broken || ended || !isRight(new Slice(bytes, offset, length));
        return !broken;
    }

    private boolean isRight(Slice envelope) {
        try {
            shortOnes.count(envelope.length());
            ParsedEnvelope parsed = EnvelopeParser.parse(envelope);
            return parsed instanceof ParsedEnvelope.Signed signed
                    ? isSigned(signed)
                    : check.isEncrypted((ParsedEnvelope.Encrypted) parsed, required.policy());
        } catch (SenderMismatchException | SignerRejectedException mustNotBeSealed) {
            broken = true;
            throw mustNotBeSealed;
        } catch (EnvelopeException rejected) {
            return false;
        }
    }

    private boolean isSigned(ParsedEnvelope.Signed envelope) {
        if (!EnvelopeStructure.of(required.policy()).hasVisibleSignature()) {
            return false;
        }
        SignatureVerifier.Verified verified = verified(envelope);
        if (verified == null) {
            return false;
        }
        signature = verified;
        Slice payload = reader.header(envelope.content());
        Entity head = reader.head();
        if (payload.length() == Segment.FULL_LENGTH) {
            budget.renew();
        }
        boolean right = head.address().equals(required.address()) && follows(head);
        if (right) {
            rejectOtherSender(head.attribution().sender(), verified);
        }
        return right;
    }

    /**
     * Verifies the signature. Returns null if the signer is not trusted.
     *
     * @throws SignerRejectedException if the envelope is for this address, its signer is or may be revoked, and the
     *     rule is not {@link SenderRule#ANY}
     */
    private SignatureVerifier.@Nullable Verified verified(ParsedEnvelope.Signed envelope) {
        try {
            return check.verify(envelope, required.policy(), budget);
        } catch (SignerRejectedException rejected) {
            if (rejected.reason() == Reason.REVOKED
                    && required.senders() != SenderRule.ANY
                    && isForAddress(envelope.content())) {
                throw rejected;
            }
            return null;
        }
    }

    private boolean isForAddress(Slice content) {
        EntityReader sealed = new EntityReader();
        var unused = sealed.header(content);
        return sealed.head().address().equals(required.address());
    }

    private void rejectOtherSender(@Nullable String sender, SignatureVerifier.Verified signed) {
        Policy policy = required.policy();
        if (sender != null
                && !signed.isBroker(policy)
                && !required.senders().accepts(sender, signed.certificate().certificate())) {
            throw new SenderMismatchException("envelope: it names a sender other than the user of its session, and its"
                    + " signer is not among the brokers of policy '" + policy.pattern() + "'");
        }
    }

    private boolean follows(Entity head) {
        Segment segment = head.segment();
        ended = segment == null || segment.last();
        if (count == 1) {
            messageId = head.messageId();
            return segment == null || segment.number() == 1;
        }
        return segment != null && segment.number() == count && head.messageId().equals(messageId);
    }

    /** Tells whether the message is complete, as far as visible. If so, the signer's certificate is cached. */
    public boolean isComplete() {
        boolean visible = EnvelopeStructure.of(required.policy()).hasVisibleSignature();
        boolean complete = count > 0 && !broken && (ended || !visible);
        if (complete && signature != null) {
            signature.accept(PendingCacheEntries.ACCEPTED);
        }
        return complete;
    }
}
