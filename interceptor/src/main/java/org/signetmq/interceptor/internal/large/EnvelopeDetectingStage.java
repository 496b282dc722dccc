/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.Opener;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.protect.MessageSealer;

/**
 * Separates sealed bodies from clear ones by their first envelope. It checks each envelope before it passes its bytes
 * on unchanged. It rejects a body that begins with a valid envelope and continues otherwise. A body that begins with
 * another envelope is rejected or clear, as its {@link Envelopes} say. Any other body is clear.
 */
public final class EnvelopeDetectingStage implements BodyStage {
    private static final byte SEQUENCE = 0x30;

    /** The greatest part of an envelope in memory, in bytes: a whole envelope of a segment. */
    private static final int MOST_IN_MEMORY = 2 << 20;

    private final Envelopes chain;
    private final BodyStage sealed;
    private final BodyStage clear;
    /** The first bytes of the envelope that is held. */
    private final byte[] head = new byte[Math.max(EnvelopeChain.HEAD_LENGTH, EnvelopeCheck.HEAD_LENGTH)];

    private final WaitingBytes held;
    private State state = State.UNKNOWN;

    private enum State {
        UNKNOWN,
        SEALED,
        CLEAR
    }

    /** Checks the envelopes of one body in their order. */
    public record Envelopes(Rule rule, @Nullable EnvelopeChain chain) {
        /** What happens to envelopes. */
        public enum Rule {
            /** Those that satisfy a policy are accepted. A body of other envelopes is clear. */
            OTHERS_ARE_CLEAR,
            /** Those that satisfy a policy are accepted, and others are rejected with the reason. */
            OTHERS_ARE_REJECTED,
            /** All are rejected, for a body in which no consumer finds them. */
            NONE,
            /** All are accepted by their form, without a verified signature. */
            BY_FORM
        }

        /** Accepts envelopes by their form. */
        static final Envelopes ALL_BY_FORM = new Envelopes(Rule.BY_FORM, null);

        private EnvelopeChain required() {
            return Objects.requireNonNull(chain);
        }

        /** Returns whether this envelope is valid after those before it. It throws if the message must be rejected. */
        private boolean accepts(byte[] bytes, int length) {
            switch (rule) {
                case OTHERS_ARE_CLEAR -> {
                    return required().accepts(bytes, 0, length);
                }
                case OTHERS_ARE_REJECTED -> required().require(bytes, 0, length);
                case NONE -> throw MessageSealer.hiddenEnvelope();
                case BY_FORM -> {
                    return EnvelopeChain.isEnvelope(bytes, 0, length);
                }
            }
            return true;
        }

        /** Returns whether no envelope is missing. */
        private boolean isComplete() {
            return chain == null ? rule == Rule.BY_FORM : chain.isComplete();
        }

        /** Returns whether a body that begins as another envelope is rejected. Otherwise it is clear. */
        private boolean rejectOthers() {
            return rule == Rule.OTHERS_ARE_REJECTED || rule == Rule.NONE;
        }

        /** Rejects a body by its beginning. */
        private void reject(byte[] bytes, int length) {
            if (rule == Rule.NONE) {
                throw MessageSealer.hiddenEnvelope();
            }
            required().reject(bytes, length);
        }
    }

    /**
     * Makes a stage.
     *
     * @param space for one envelope
     * @param sealed the stage for envelopes
     * @param clear the stage for a clear body
     */
    public EnvelopeDetectingStage(Envelopes chain, WaitingBytes.Space space, BodyStage sealed, BodyStage clear) {
        this.held = new WaitingBytes(space, MOST_IN_MEMORY);
        this.chain = chain;
        this.sealed = sealed;
        this.clear = clear;
    }

    /** Returns whether a whole body consists of these envelopes. */
    public static boolean isSealed(WaitingBytes.Content body, Envelopes envelopes) throws Exception {
        EnvelopeDetectingStage judge = new EnvelopeDetectingStage(
                envelopes, WaitingBytes.Space.UNLIMITED, BodyStage.discarding(), BodyStage.rejecting(""));
        try (judge) {
            body.read(judge::add);
            judge.finish();
            return judge.wasSealed();
        } catch (MessageRejectedException notSealed) {
            return false;
        }
    }

    /** Returns whether the whole body consists of envelopes; known after {@link #finish}. */
    public boolean wasSealed() {
        return state == State.SEALED;
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        int position = offset;
        int end = offset + length;
        while (position < end && state != State.CLEAR) {
            int filled = (int) held.length();
            int taken = Math.min(wanted() - filled, end - position);
            if (filled < head.length) {
                System.arraycopy(bytes, position, head, filled, Math.min(taken, head.length - filled));
            }
            held.add(bytes, position, taken);
            position += taken;
            if (held.length() == wanted()) {
                judge();
            }
        }
        if (position < end) {
            clear.add(bytes, position, end - position);
        }
    }

    /** Returns the number of bytes for the next check: the length of a head, or of the whole envelope. */
    private int wanted() {
        if (held.length() < EnvelopeChain.HEAD_LENGTH) {
            return EnvelopeChain.HEAD_LENGTH;
        }
        int stated = stated();
        if (stated < 0 && state == State.UNKNOWN && chain.rejectOthers() && head[0] == SEQUENCE) {
            // one envelope without a stated length, or an unusual encoding of its head
            return Opener.looksSealed(Arrays.copyOf(head, headLength())) ? EnvelopeChain.LONGEST : head.length;
        }
        return Math.max(EnvelopeChain.HEAD_LENGTH, stated);
    }

    /** Returns the length that the envelope states; -1 if none begins here, or its head is not complete. */
    private int stated() {
        return held.length() < EnvelopeChain.HEAD_LENGTH ? -1 : EnvelopeChain.lengthOf(head, headLength());
    }

    private int headLength() {
        return (int) Math.min(head.length, held.length());
    }

    private void judge() throws Exception {
        if (stated() == held.length() && isAccepted()) {
            held.clear();
        } else if (state == State.SEALED) {
            throw mixed();
        } else {
            if (isRejected()) {
                held.readWhole((bytes, offset, length) -> chain.reject(bytes, length));
            }
            becomeClear();
        }
    }

    /** Passes the held envelope on if it is accepted. */
    private boolean isAccepted() throws Exception {
        boolean[] accepted = new boolean[1];
        held.readWhole((envelope, offset, length) -> {
            accepted[0] = chain.accepts(envelope, length);
            if (accepted[0]) {
                state = State.SEALED;
                sealed.add(envelope, 0, length);
            }
        });
        return accepted[0];
    }

    private boolean isRejected() {
        return chain.rejectOthers() && EnvelopeCheck.looksSealed(ByteBuffer.wrap(head, 0, headLength()));
    }

    private void becomeClear() throws Exception {
        state = State.CLEAR;
        held.read(clear::add);
        held.close();
    }

    @Override
    public void finish() throws Exception {
        if (state == State.UNKNOWN) {
            // an envelope may end here without having stated its length
            if (isRejected() && isAccepted()) {
                held.clear();
            } else {
                becomeClear();
            }
        }
        if (state == State.CLEAR) {
            clear.finish();
        } else if (held.length() > 0 || !chain.isComplete()) {
            throw mixed();
        } else {
            sealed.finish();
        }
    }

    private static MessageRejectedException mixed() {
        return new MessageRejectedException(
                RejectionReason.ENVELOPE, "body: begins with an envelope, but does not consist of valid envelopes");
    }

    @Override
    public void close() {
        held.close();
        sealed.close();
        clear.close();
    }
}
