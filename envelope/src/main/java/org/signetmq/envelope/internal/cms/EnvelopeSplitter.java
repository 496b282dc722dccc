/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.message.Segment;

/**
 * Splits a stream into envelopes, or into chunks if it has none. It allocates no more memory than bytes have arrived,
 * or one segment may have. For one thread.
 */
public final class EnvelopeSplitter {
    /** The bytes that identify an envelope: tag, length and the identifier of its kind. */
    public static final int HEAD = 32;

    /** The result for an indefinite length. Only a full parse finds the end of such an envelope. */
    private static final long UNKNOWN = -1;

    /** The most bytes of an envelope among several: a segment, and as much for its recipients. */
    public static final int MOST_IN_ROW = 2 * Segment.FULL_LENGTH;

    /** The most bytes of a single envelope. */
    public static final int MOST_ALONE = 65 << 20;

    /** The bytes of the first read, because an envelope may be shorter than it claims. */
    private static final int FIRST_READ = 64 << 10;

    private static final int CLEAR_CHUNK = 64 << 10;

    private final InputStream in;
    private State state = State.BEGINNING;

    private enum State {
        BEGINNING,
        ENVELOPES,
        CLEAR
    }

    public EnvelopeSplitter(InputStream in) {
        this.in = in;
    }

    /** Returns the length that an envelope claims in its first bytes, or {@link #UNKNOWN}. */
    public static long lengthOf(Slice envelope) {
        byte[] bytes = envelope.array();
        int start = envelope.offset() + 2;
        int first = bytes[start - 1] & 0xFF;
        if (first < 0x80) {
            return 2L + first;
        }
        int octets = first & 0x7F;
        if (octets == 0 || octets > Integer.BYTES || octets > envelope.length() - 2) {
            return UNKNOWN;
        }
        long length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << Byte.SIZE) | (bytes[start + i] & 0xFF);
        }
        return 2 + octets + length;
    }

    /** Tells whether more bytes follow the envelope at the start of these bytes. */
    public static boolean isShorterThan(Slice bytes) {
        long length = lengthOf(bytes);
        return length != UNKNOWN && length < bytes.length();
    }

    /** Tells whether the stream has envelopes; known after the first call of {@link #next}. */
    public boolean isSealed() {
        return state == State.ENVELOPES;
    }

    /**
     * Returns the next whole envelope, or the next chunk of a message in clear. The only chunk of an empty message is
     * empty. Returns null at the end.
     *
     * @throws MalformedEnvelopeException if an envelope is followed by other bytes, is too long, or ends early
     */
    @Nullable
    public Slice next(OutputBuffer buffer) throws IOException {
        if (state == State.CLEAR) {
            int length = in.readNBytes(buffer.atLeast(CLEAR_CHUNK, 0), 0, CLEAR_CHUNK);
            return length == 0 ? null : new Slice(buffer.array(), 0, length);
        }
        boolean first = state == State.BEGINNING;
        int head = in.readNBytes(buffer.array(), 0, HEAD);
        if (!first && head == 0) {
            return null;
        }
        boolean sealed = EnvelopeParser.looksSealed(buffer.array(), 0, head);
        Malformed.when(!first && !sealed, "segment: other bytes than an envelope follow");
        state = sealed ? State.ENVELOPES : State.CLEAR;
        if (!sealed) {
            int more = in.readNBytes(buffer.atLeast(CLEAR_CHUNK, head), head, CLEAR_CHUNK - head);
            return new Slice(buffer.array(), 0, head + more);
        }
        long length = lengthOf(new Slice(buffer.array(), 0, head));
        if (length != UNKNOWN && length <= MOST_IN_ROW) {
            return inRow(buffer, head, (int) length);
        }
        Malformed.when(!first, "segment: longer than " + MOST_IN_ROW + " bytes");
        return alone(buffer, head, length);
    }

    private Slice inRow(OutputBuffer buffer, int head, int length) throws IOException {
        Malformed.when(length < head, "envelope: too short");
        int end = head;
        for (int wanted = Math.max(FIRST_READ, head + ready()); end < length; wanted = 2 * end) {
            int until = Math.min(length, wanted);
            end += in.readNBytes(buffer.atLeast(until, end), end, until - end);
            Malformed.when(end < until, "envelope: cut off");
        }
        return new Slice(buffer.array(), 0, length);
    }

    /** Reads a single envelope of any claimed length, and allocates memory as its bytes arrive. */
    private Slice alone(OutputBuffer buffer, int head, long length) throws IOException {
        byte[] whole = new byte[length > MOST_ALONE ? head : Math.max(FIRST_READ, head + ready() + 1)];
        System.arraycopy(buffer.array(), 0, whole, 0, head);
        int end = head + in.readNBytes(whole, head, whole.length - head);
        while (end == whole.length) {
            Malformed.when(
                    end > MOST_ALONE || length > MOST_ALONE,
                    "envelope: longer than " + MOST_ALONE + " bytes without segments");
            whole = Arrays.copyOf(whole, Math.min(2 * whole.length, MOST_ALONE + 1));
            end += in.readNBytes(whole, end, whole.length - end);
        }
        return new Slice(whole, 0, end);
    }

    /** The bytes that are available without waiting, up to the most. */
    private int ready() throws IOException {
        return Math.min(in.available(), MOST_ALONE - HEAD);
    }
}
