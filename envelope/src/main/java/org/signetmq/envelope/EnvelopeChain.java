/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import org.jspecify.annotations.Nullable;
import org.signetmq.policy.QualityOfProtection;

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
        if (!EnvelopeParser.looksSealed(bytes, 0, length)) {
            return -1;
        }
        long stated = EnvelopeLength.of(bytes, length);
        return stated >= HEAD_LENGTH && stated <= MOST_LENGTH ? (int) stated : -1;
    }

    /** Whether this envelope is right, and follows those before it. After the first that is not, none is. */
    public boolean accepts(byte[] bytes, int offset, int length) {
        count++;
        broken = broken || ended || !isRight(new Slice(bytes, offset, length));
        return !broken;
    }

    private boolean isRight(Slice envelope) {
        try {
            ParsedEnvelope parsed = EnvelopeParser.parse(envelope);
            return check.isRight(parsed, wanted)
                    && (!(parsed instanceof ParsedEnvelope.Signed signed) || follows(signed.content()));
        } catch (EnvelopeException notAsItShouldBe) {
            return false;
        }
    }

    private boolean follows(Slice content) {
        EntityReader reader = new EntityReader();
        int unused = reader.header(content.array(), content.offset(), content.length());
        Entity head = reader.head();
        Segment segment = head.segment();
        ended = segment == null || segment.last();
        if (count == 1) {
            messageId = head.messageId();
            return segment == null || segment.number() == 1;
        }
        return segment != null && segment.number() == count && head.messageId().equals(messageId);
    }

    /** Whether nothing is missing, as far as can be seen. */
    public boolean isComplete() {
        boolean visible = wanted.policy().quality() == QualityOfProtection.INTEGRITY;
        return count > 0 && !broken && (ended || !visible);
    }
}
