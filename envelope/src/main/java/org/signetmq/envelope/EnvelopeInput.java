/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream into the envelopes that it is a row of, or into pieces if it is none. No more memory is taken than
 * bytes have come, or one segment may have. For one thread.
 */
final class EnvelopeInput {
    /** The most that an envelope of a row may have: a segment, and as much for its recipients. */
    static final int MOST_IN_ROW = 2 * SegmentSealer.SEGMENT_LENGTH;

    /** The most that an envelope without others may have. */
    static final int MOST_ALONE = 65 << 20;

    private static final int CLEAR_PIECE = SegmentSealer.SEGMENT_LENGTH;

    private final InputStream in;
    private State state = State.BEGINNING;

    private enum State {
        BEGINNING,
        ENVELOPES,
        CLEAR
    }

    EnvelopeInput(InputStream in) {
        this.in = in;
    }

    /** Whether what was read so far are envelopes; known after the first call of {@link #next}. */
    boolean isSealed() {
        return state == State.ENVELOPES;
    }

    /**
     * The next envelope, whole; or the next piece of a message in clear, which may be empty once. Null at the end.
     *
     * @throws MalformedEnvelopeException if there is something else, or the end is missing
     */
    @Nullable
    Slice next(Memory memory) throws IOException {
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
        byte[] array = memory.atLeast(length, head);
        if (in.readNBytes(array, head, length - head) < length - head) {
            throw new MalformedEnvelopeException("envelope: cut off");
        }
        return new Slice(array, 0, length);
    }

    /** As many bytes as come, up to the most: memory is taken as they do, whatever length is claimed. */
    private Slice alone(Memory memory, int head, long length) throws IOException {
        if (length > MOST_ALONE) {
            throw new MalformedEnvelopeException("envelope: longer than " + MOST_ALONE + " bytes without segments");
        }
        byte[] rest = in.readNBytes(MOST_ALONE - head + 1);
        if (rest.length > MOST_ALONE - head) {
            throw new MalformedEnvelopeException("envelope: longer than " + MOST_ALONE + " bytes without segments");
        }
        byte[] whole = new byte[head + rest.length];
        System.arraycopy(memory.array(), 0, whole, 0, head);
        System.arraycopy(rest, 0, whole, head, rest.length);
        return Slice.of(whole);
    }
}
