/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import java.util.Arrays;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Tells by its first envelope whether a body was sealed before. An envelope passes unchanged, each checked before any
 * byte of it goes on. A body that begins with an envelope and continues otherwise is rejected. Anything else is clear.
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

    /** Says of envelopes, one after the other, whether they are right. */
    public interface Envelopes {
        /**
         * Whether this one is, after those before it.
         *
         * @throws MessageRejectedException if the message must not pass in any form
         */
        boolean accepts(byte[] bytes, int offset, int length) throws MessageRejectedException;

        /** Whether nothing is missing. */
        boolean isComplete();

        /** Those that are as a policy wants them. */
        static Envelopes of(EnvelopeChain chain) {
            return new Envelopes() {
                @Override
                public boolean accepts(byte[] bytes, int offset, int length) throws MessageRejectedException {
                    try {
                        return chain.accepts(bytes, offset, length);
                    } catch (SenderMismatchException e) {
                        throw new MessageRejectedException(String.valueOf(e.getMessage()));
                    }
                }

                @Override
                public boolean isComplete() {
                    return chain.isComplete();
                }
            };
        }

        /** Any that are envelopes by their form, which proves nothing. */
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
     * A stage that has seen nothing.
     *
     * @param sealed the stage for envelopes
     * @param clear the stage for a clear body
     */
    public EnvelopeDetectingStage(Envelopes chain, BodyStage sealed, BodyStage clear) {
        this.chain = chain;
        this.sealed = sealed;
        this.clear = clear;
    }

    /** Tells whether a whole body consists of these envelopes. */
    public static boolean isSealed(byte[] body, Envelopes envelopes) {
        EnvelopeDetectingStage judge =
                new EnvelopeDetectingStage(envelopes, new DiscardingStage(), new RejectingStage(""));
        try {
            judge.takeWhole(body);
            return judge.wasSealed();
        } catch (MessageRejectedException notSealed) {
            return false;
        }
    }

    /** Whether all was sealed before; known after {@link #finish}. */
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

    /** How many bytes are needed to say more: a head, or with it the whole envelope. */
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
        return new MessageRejectedException("body: begins as a sealed message, but is not one to its end");
    }

    @Override
    public void close() {
        held = new byte[0];
        sealed.close();
        clear.close();
    }
}
