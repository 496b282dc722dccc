/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import java.util.Arrays;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.EnvelopeVerdict;

/**
 * Separates sealed bodies from clear ones by their first envelope. It checks each envelope before it passes its bytes
 * on unchanged. It rejects a body that begins with a valid envelope and continues otherwise. Any other body is clear.
 */
public final class EnvelopeDetectingStage implements BodyStage {
    private final Envelopes chain;
    private final BodyStage sealed;
    private final BodyStage clear;
    private byte[] held = new byte[EnvelopeChain.HEAD_LENGTH];
    private int filled;
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
     * @param sealed the stage for envelopes
     * @param clear the stage for a clear body
     */
    public EnvelopeDetectingStage(Envelopes chain, BodyStage sealed, BodyStage clear) {
        this.chain = chain;
        this.sealed = sealed;
        this.clear = clear;
    }

    /** Returns whether a whole body consists of these envelopes. */
    public static boolean isSealed(Source body, Envelopes envelopes) throws Exception {
        EnvelopeDetectingStage judge =
                new EnvelopeDetectingStage(envelopes, new DiscardingStage(), new RejectingStage(""));
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
            int taken = Math.min(wanted() - filled, end - position);
            if (filled + taken > held.length) {
                held = Arrays.copyOf(held, Math.min(wanted(), Math.max(2 * held.length, filled + taken)));
            }
            System.arraycopy(bytes, position, held, filled, taken);
            filled += taken;
            position += taken;
            if (filled == wanted()) {
                judge();
            }
        }
        if (position < end) {
            clear.add(bytes, position, end - position);
        }
    }

    /** Returns the number of bytes for the next check: the length of a head, or of the whole envelope. */
    private int wanted() {
        return filled < EnvelopeChain.HEAD_LENGTH
                ? EnvelopeChain.HEAD_LENGTH
                : Math.max(EnvelopeChain.HEAD_LENGTH, EnvelopeChain.lengthOf(held, filled));
    }

    private void judge() throws Exception {
        boolean accepted = EnvelopeChain.lengthOf(held, filled) == filled && chain.accepts(held, 0, filled);
        if (accepted) {
            state = State.SEALED;
            sealed.add(held, 0, filled);
            filled = 0;
        } else if (state == State.SEALED) {
            throw mixed();
        } else {
            becomeClear();
        }
    }

    private void becomeClear() throws Exception {
        state = State.CLEAR;
        byte[] all = held;
        held = new byte[0];
        clear.add(all, 0, filled);
    }

    @Override
    public void finish() throws Exception {
        if (state == State.UNKNOWN) {
            becomeClear();
        }
        if (state == State.CLEAR) {
            clear.finish();
        } else if (filled > 0 || !chain.isComplete()) {
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
        held = new byte[0];
        sealed.close();
        clear.close();
    }
}
