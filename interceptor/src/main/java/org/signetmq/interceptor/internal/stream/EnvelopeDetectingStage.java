/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.protect.EnvelopeVerdict;

/**
 * Separates sealed bodies from clear ones by their first envelope. It checks each envelope before it passes its bytes
 * on unchanged. It rejects a body that begins with a valid envelope and continues otherwise. Any other body is clear.
 */
public final class EnvelopeDetectingStage implements BodyStage {
    /** The greatest part of an envelope in memory, in bytes: a whole envelope of a segment. */
    private static final int MOST_IN_MEMORY = 2 << 20;

    private final Envelopes chain;
    private final BodyStage sealed;
    private final BodyStage clear;
    private final byte[] head = new byte[EnvelopeChain.HEAD_LENGTH];
    private final WaitingBytes held;
    private State state = State.UNKNOWN;

    private enum State {
        UNKNOWN,
        SEALED,
        CLEAR
    }

    /** Checks the envelopes of one body in their order. */
    public interface Envelopes {
        /**
         * Returns whether this envelope is valid after those before it.
         *
         * @throws MessageRejectedException if the message must be rejected, and must not be sealed again
         */
        boolean accepts(byte[] bytes, int offset, int length) throws MessageRejectedException;

        /** Returns whether no envelope is missing. */
        boolean isComplete();

        /** Accepts envelopes that satisfy a policy. */
        static Envelopes of(EnvelopeChain chain) {
            return new Envelopes() {
                @Override
                public boolean accepts(byte[] bytes, int offset, int length) throws MessageRejectedException {
                    return EnvelopeVerdict.of(() -> chain.accepts(bytes, offset, length));
                }

                @Override
                public boolean isComplete() {
                    return chain.isComplete();
                }
            };
        }

        /** Accepts envelopes by their form, and verifies no signature. */
        static Envelopes byForm() {
            return new Envelopes() {
                @Override
                public boolean accepts(byte[] bytes, int offset, int length) {
                    return EnvelopeChain.isEnvelope(bytes, offset, length);
                }

                @Override
                public boolean isComplete() {
                    return true;
                }
            };
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
    public static boolean isSealed(Source body, Envelopes envelopes) throws Exception {
        EnvelopeDetectingStage judge = new EnvelopeDetectingStage(
                envelopes, WaitingBytes.Space.UNLIMITED, new DiscardingStage(), new RejectingStage(""));
        try (judge) {
            body.writeTo(judge);
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
            if (filled < head.length) { // and so no part goes beyond it
                System.arraycopy(bytes, position, head, filled, taken);
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
        return Math.max(head.length, stated());
    }

    /** Returns the length that the envelope states; -1 if none begins here, or its head is not complete. */
    private int stated() {
        return held.length() < head.length ? -1 : EnvelopeChain.lengthOf(head, head.length);
    }

    private void judge() throws Exception {
        boolean[] accepted = new boolean[1];
        if (stated() == held.length()) {
            held.readWhole((envelope, length) -> {
                accepted[0] = chain.accepts(envelope, 0, length);
                if (accepted[0]) {
                    state = State.SEALED;
                    sealed.add(envelope, 0, length);
                }
            });
        }
        if (accepted[0]) {
            held.clear();
        } else if (state == State.SEALED) {
            throw mixed();
        } else {
            becomeClear();
        }
    }

    private void becomeClear() throws Exception {
        state = State.CLEAR;
        held.read(clear::add);
        held.close();
    }

    @Override
    public void finish() throws Exception {
        if (state == State.UNKNOWN) {
            becomeClear();
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
