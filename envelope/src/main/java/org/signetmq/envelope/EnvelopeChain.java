/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.internal.cms.ContentInfoHead;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.internal.open.SegmentSequence.ShortSegmentLimit;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;

/**
 * Checks successive envelopes of one message: each one satisfies the policy, and the segments are complete and in
 * order. Only recipients see the order of encrypted segments. For one thread. {@link EnvelopeCheck#chain} creates it.
 */
public final class EnvelopeChain {
    /** The number of bytes that {@link #lengthOf} needs, unless the message is shorter. */
    public static final int HEAD_LENGTH = EnvelopeSplitter.HEAD;

    /** The greatest length of an envelope of a chain, in bytes. */
    public static final int LONGEST = EnvelopeSplitter.MOST_IN_ROW;

    private static final String TOO_LONG = "segment: more than " + Segment.FULL_LENGTH + " bytes of payload";

    private final EnvelopeCheck check;
    private final EnvelopeCheck.Requirements required;
    private final OperationBudget budget = new OperationBudget();
    private final ShortSegmentLimit shortOnes = new ShortSegmentLimit();
    private final EntityReader reader = new EntityReader();
    private SignatureVerifier.@Nullable Verified signature;
    private @Nullable String messageId;
    private ParsedEnvelope.@Nullable SignedAttributes attributes;
    private int count;
    private boolean ended;
    private boolean broken;
    private boolean tooLong;

    EnvelopeChain(EnvelopeCheck check, EnvelopeCheck.Requirements required) {
        this.check = check;
        this.required = required;
    }

    /**
     * The identity of a message whose signature is visible.
     *
     * @param messageId its identifier, 32 hex digits
     * @param signedAt the signing time of its first envelope, in seconds since 1970; empty if none is stated
     */
    public record SignedMessage(String messageId, OptionalLong signedAt) {}

    /**
     * Returns the identity of the message that the envelopes so far belong to; null if its signature is not visible.
     *
     * @throws MalformedEnvelopeException if the signing time is none
     */
    public @Nullable SignedMessage signedMessage() {
        return attributes == null || messageId == null ? null : new SignedMessage(messageId, attributes.signingTime());
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
        long stated = EnvelopeSplitter.lengthOf(envelope);
        return stated >= HEAD_LENGTH && stated <= EnvelopeSplitter.MOST_IN_ROW ? (int) stated : -1;
    }

    /**
     * Checks the next envelope. After the first failure every envelope fails.
     *
     * @return whether the envelope satisfies the policy and follows the last one
     */
    public boolean accepts(byte[] bytes, int offset, int length) {
        try {
            require(bytes, offset, length);
            return true;
        } catch (EnvelopeException | KeystoreUnusableException rejected) {
            return false;
        }
    }

    /**
     * Checks the next envelope, as {@link #accepts} does.
     *
     * @throws EnvelopeException if it does not satisfy the policy, or does not follow the last one; its text says why
     * @throws KeystoreUnusableException if a recipient of the policy is unknown
     */
    public void require(byte[] bytes, int offset, int length) {
        count++;
        Malformed.when(broken || ended, "segment: it follows the end of its message");
        broken = true;
        Slice envelope = new Slice(bytes, offset, length);
        shortOnes.count(envelope.length());
        ParsedEnvelope parsed = EnvelopeParser.parse(envelope);
        if (parsed instanceof ParsedEnvelope.Signed signed) {
            requireSigned(signed);
        } else {
            ParsedEnvelope.Encrypted encrypted = (ParsedEnvelope.Encrypted) parsed;
            check.requireEncrypted(encrypted, required.policy());
            if (EnvelopeStructure.of(required.policy()).isAgreed()
                    && required.policy().enforcement().require() != RequiredKeys.BOTH) { // else it is inside
                requireSender(check.requireSender(encrypted, required.policy()));
            }
            tooLong |= encrypted.content().ciphertext().length() > Limits.ENCRYPTED_SEGMENT;
        }
        Malformed.when(tooLong && count > 1, TOO_LONG);
        broken = false;
    }

    /**
     * Rejects a message by the beginning of an envelope that is too long to be held.
     *
     * @throws EnvelopeException in any case; its text says why
     */
    public void reject(byte[] bytes, int length) {
        Slice head = new Slice(bytes, 0, length);
        ContentInfoHead.rejectOther(head);
        check.rejectRecipients(head, required.policy());
        throw new MalformedEnvelopeException("envelope: longer than " + EnvelopeSplitter.MOST_IN_ROW
                + " bytes without segments; send it in clear, or seal it with Signet");
    }

    private void requireSigned(ParsedEnvelope.Signed envelope) {
        Policy policy = required.policy();
        if (!EnvelopeStructure.of(policy).hasVisibleSignature()) {
            throw new PolicyViolationException("envelope: quality "
                    + EnvelopeStructure.SIGNED.quality().label() + " where policy '" + policy.pattern()
                    + "' asks for " + policy.quality().label());
        }
        SignatureVerifier.Verified verified = check.verify(envelope, policy, budget);
        signature = verified;
        Slice payload = reader.header(envelope.content());
        Entity head = reader.head();
        if (payload.length() == Segment.FULL_LENGTH) {
            budget.renew();
        }
        Malformed.when(head.segment() != null && payload.length() > Segment.FULL_LENGTH, TOO_LONG);
        if (!head.address().equals(required.address())) {
            throw new AddressMismatchException("envelope: sealed for address " + PrintableText.quoted(head.address())
                    + ", not for " + PrintableText.quoted(required.address()));
        }
        Malformed.when(!follows(head, envelope), "segment: it does not follow the one before it");
        rejectOtherSender(head.attribution().sender(), verified);
        rejectOtherSigner(verified);
    }

    private void requireSender(SignatureVerifier.Verified sender) {
        Malformed.when(
                signature != null && !signature.certificate().equals(sender.certificate()),
                "segment: its sender is not that of the first segment");
        signature = sender;
        rejectOtherSigner(sender);
    }

    private void rejectOtherSigner(SignatureVerifier.Verified signed) {
        if (required.policy().enforcement().bindUser()) {
            required.senders().problemWithSigner(signed::isOneOf).ifPresent(problem -> {
                throw new SenderMismatchException(
                        "envelope: signer '" + signed.signer().name() + "' " + problem + ", as bind-user of policy '"
                                + required.policy().pattern() + "' requires");
            });
        }
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

    private boolean follows(Entity head, ParsedEnvelope.Signed signed) {
        Segment segment = head.segment();
        ended = segment == null || segment.last();
        if (count == 1) {
            messageId = head.messageId();
            attributes = signed.signer().attributes();
            return segment == null || segment.number() == 1;
        }
        return segment != null && segment.number() == count && head.messageId().equals(messageId);
    }

    /**
     * Checks that the message is complete, as {@link #isComplete} does.
     *
     * @throws MalformedEnvelopeException if segments are missing
     */
    public void requireComplete() {
        Malformed.when(!isComplete(), "segment: the last ones are missing");
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
