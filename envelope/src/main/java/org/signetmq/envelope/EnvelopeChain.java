/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.internal.cms.EnvelopeInput;
import org.signetmq.envelope.internal.cms.EnvelopeLength;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.KeptUnlessRefused;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.open.ShortSegments;
import org.signetmq.envelope.internal.signature.SignatureCheck;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.Segment;
import org.signetmq.policy.Policy;

/**
 * Tells of envelopes, as they come, whether they are one message as its policy wants it: each one satisfies the policy,
 * and as far as can be seen without a recipient's key they are one message, whole and in order. Of encrypted segments
 * only their recipients see the order. For one thread. Made by {@link EnvelopeCheck#chain}.
 */
public final class EnvelopeChain {
    /** So many bytes, or all there are, are enough to ask {@link #lengthOf}. */
    public static final int HEAD_LENGTH = EnvelopeLength.HEAD;

    /** The most that an envelope of a chain may have, in bytes. */
    public static final int MOST_LENGTH = EnvelopeInput.MOST_IN_ROW;

    private final EnvelopeCheck check;
    private final EnvelopeCheck.Wanted wanted;
    private final OperationBudget budget = new OperationBudget();
    private final ShortSegments shortOnes = new ShortSegments();
    private final EntityReader reader = new EntityReader();
    private SignatureCheck.@Nullable Verified signature;
    private @Nullable String messageId;
    private int count;
    private boolean ended;
    private boolean broken;

    EnvelopeChain(EnvelopeCheck check, EnvelopeCheck.Wanted wanted) {
        this.check = check;
        this.wanted = wanted;
    }

    /**
     * How long the envelope is that these bytes begin, or -1 if they begin none that could be part of a chain. Proves
     * nothing.
     *
     * @param length how many bytes there are, from the beginning of the array
     */
    public static int lengthOf(byte[] bytes, int length) {
        return lengthOf(new Slice(bytes, 0, length));
    }

    /** Whether these bytes are one envelope by their structure. Proves nothing. */
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
        return stated >= HEAD_LENGTH && stated <= MOST_LENGTH ? (int) stated : -1;
    }

    /**
     * Whether this envelope is right, and follows those before it. After the first that is not, none is.
     *
     * @throws SenderMismatchException if all is right but the sender that it names
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
                    : check.isEncrypted((ParsedEnvelope.Encrypted) parsed, wanted.policy());
        } catch (SenderMismatchException refused) {
            broken = true;
            throw refused;
        } catch (EnvelopeException notAsItShouldBe) {
            return false;
        }
    }

    private boolean isSigned(ParsedEnvelope.Signed envelope) {
        if (!EnvelopeStructure.of(wanted.policy()).hasVisibleSignature()) {
            return false;
        }
        SignatureCheck.Verified verified = check.verify(envelope, wanted.policy(), budget);
        signature = verified;
        Slice content = envelope.content();
        int payload = reader.header(content.array(), content.offset(), content.length());
        Entity head = reader.head();
        if (content.offset() + content.length() - payload == Segment.FULL_LENGTH) {
            budget.renew();
        }
        boolean right = head.address().equals(wanted.address()) && follows(head);
        if (right) {
            refuseOtherSender(head.attribution().sender(), verified);
        }
        return right;
    }

    private void refuseOtherSender(@Nullable String sender, SignatureCheck.Verified signed) {
        Policy policy = wanted.policy();
        if (sender != null
                && !signed.isBroker(policy)
                && !wanted.senders().accepts(sender, signed.certificate().certificate())) {
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

    /** Whether nothing is missing, as far as can be seen. If so, the signer of the message is remembered. */
    public boolean isComplete() {
        boolean visible = EnvelopeStructure.of(wanted.policy()).hasVisibleSignature();
        boolean complete = count > 0 && !broken && (ended || !visible);
        if (complete && signature != null) {
            signature.accept(KeptUnlessRefused.ACCEPTED);
        }
        return complete;
    }
}
