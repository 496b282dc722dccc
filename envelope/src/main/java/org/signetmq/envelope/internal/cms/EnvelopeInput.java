/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Segment;

/**
 * Cuts a stream into the envelopes that it is a row of, or into pieces if it is none. No more memory is taken than
 * bytes have come, or one segment may have. For one thread.
 */
public final class EnvelopeInput {
    /** The most that an envelope of a row may have: a segment, and as much for its recipients. */
    public static final int MOST_IN_ROW = 2 * Segment.FULL_LENGTH;

    /** The most that an envelope without others may have. */
    static final int MOST_ALONE = 65 << 20;

    /** How much is read first if it is not known how much is there: an envelope may not be as long as it claims. */
    private static final int FIRST_READ = 64 << 10;

    private static final int CLEAR_PIECE = 64 << 10;

    private final InputStream in;
    private State state = State.BEGINNING;

    private enum State {
        BEGINNING,
        ENVELOPES,
        CLEAR
    }

    public EnvelopeInput(InputStream in) {
        this.in = in;
    }

    /** Whether what was read so far are envelopes; known after the first call of {@link #next}. */
    public boolean isSealed() {
        return state == State.ENVELOPES;
    }

    /**
     * The next envelope, whole; or the next piece of a message in clear, which may be empty once. Null at the end.
     *
     * @throws MalformedEnvelopeException if there is something else, or the end is missing
     */
    @Nullable
    public Slice next(Memory memory) throws IOException {
        if (state == State.CLEAR) {
            int length = in.readNBytes(memory.atLeast(CLEAR_PIECE, 0), 0, CLEAR_PIECE);
            return length == 0 ? null : new Slice(memory.array(), 0, length);
        }
        boolean first = state == State.BEGINNING;
        int head = in.readNBytes(memory.array(), 0, EnvelopeLength.HEAD);
        if (!first && head == 0) {
            return null;
        }
        boolean sealed = EnvelopeParser.looksSealed(memory.array(), 0, head);
        if (!first && !sealed) {
            throw new MalformedEnvelopeException("segment: followed by something that is not an envelope");
        }
        state = sealed ? State.ENVELOPES : State.CLEAR;
        if (!sealed) {
            int more = in.readNBytes(memory.atLeast(CLEAR_PIECE, head), head, CLEAR_PIECE - head);
            return new Slice(memory.array(), 0, head + more);
        }
        long length = EnvelopeLength.of(memory.array(), head);
        if (length != EnvelopeLength.UNKNOWN && length <= MOST_IN_ROW) {
            return inRow(memory, head, (int) length);
        }
        if (!first) {
            throw new MalformedEnvelopeException("segment: longer than " + MOST_IN_ROW + " bytes");
        }
        return alone(memory, head, length);
    }

    private Slice inRow(Memory memory, int head, int length) throws IOException {
        if (length < head) {
            throw new MalformedEnvelopeException("envelope: shorter than one can be");
        }
        int end = head;
        for (int wanted = Math.max(FIRST_READ, head + ready()); end < length; wanted = 2 * end) {
            int until = Math.min(length, wanted);
            end += in.readNBytes(memory.atLeast(until, end), end, until - end);
            if (end < until) {
                throw new MalformedEnvelopeException("envelope: cut off");
            }
        }
        return new Slice(memory.array(), 0, length);
    }

    /** As many bytes as come, up to the most: memory is taken as they do, whatever length is claimed. */
    private Slice alone(Memory memory, int head, long length) throws IOException {
        byte[] whole = new byte[length > MOST_ALONE ? head : Math.max(FIRST_READ, head + ready() + 1)];
        System.arraycopy(memory.array(), 0, whole, 0, head);
        int end = head + in.readNBytes(whole, head, whole.length - head);
        while (end == whole.length) {
            if (end > MOST_ALONE || length > MOST_ALONE) {
                throw new MalformedEnvelopeException("envelope: longer than " + MOST_ALONE + " bytes without segments");
            }
            whole = Arrays.copyOf(whole, Math.min(2 * whole.length, MOST_ALONE + 1));
            end += in.readNBytes(whole, end, whole.length - end);
        }
        return new Slice(whole, 0, end);
    }

    /** How many bytes there are already, as far as they are taken. */
    private int ready() throws IOException {
        return Math.min(in.available(), MOST_ALONE - EnvelopeLength.HEAD);
    }
}
