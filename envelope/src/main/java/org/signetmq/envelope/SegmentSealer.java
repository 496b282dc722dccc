/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.seal.SealingStages;
import org.signetmq.envelope.message.Segment;

/**
 * Seals one large message as it comes in: a segment of the payload at a time, each an envelope of its own, in the
 * memory of one segment. The last envelope says that it is the last, and there always is one, also for an empty
 * payload. The message is sealed as the policy said when it began, whatever becomes of the policy meanwhile. For one
 * thread at a time. Made by {@link Sealer#segments}.
 */
public final class SegmentSealer implements AutoCloseable {
    /** The most payload that one segment carries, in bytes: all but the last carry as much. */
    public static final int SEGMENT_LENGTH = Segment.FULL_LENGTH;

    private static final int FIRST_LENGTH = 64 << 10;

    /** Takes envelopes, one after the other. */
    @FunctionalInterface
    public interface Sink {
        /** Takes one whole envelope. The array is lent for the time of the call, as to an output stream. */
        void write(byte[] bytes, int offset, int length) throws IOException;
    }

    private final SealingStages.Envelopes envelopes;
    private final Runnable release;
    private final Sink sink;
    private final Memory memory = new Memory();
    private byte[] buffer = new byte[FIRST_LENGTH];
    private int filled;
    private int written;
    private boolean closed;

    /**
     * A sealer that has seen nothing yet.
     *
     * @param release run once when all is over
     */
    SegmentSealer(SealingStages.Envelopes envelopes, Runnable release, Sink sink) {
        this.envelopes = envelopes;
        this.release = release;
        this.sink = sink;
    }

    /**
     * Takes more of the payload. What fails, ends the message: nothing can be added to it any more.
     *
     * @throws IOException if the sink does not take an envelope
     * @throws IllegalStateException after the end
     * @see Sealer#seal for what else is thrown
     */
    public void add(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        requireOpen();
        boolean done = false;
        try {
            int position = offset;
            int end = offset + length;
            while (position < end) {
                position += take(bytes, position, end - position);
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    /** A full segment is written when more follows, and not before: the last one has to say that it is. */
    private int take(byte[] bytes, int offset, int length) throws IOException {
        if (filled == SEGMENT_LENGTH) {
            flush(false);
        }
        if (filled == 0 && length > SEGMENT_LENGTH) {
            write(new Slice(bytes, offset, SEGMENT_LENGTH), false);
            return SEGMENT_LENGTH;
        }
        int taken = Math.min(SEGMENT_LENGTH - filled, length);
        reserve(filled + taken);
        System.arraycopy(bytes, offset, buffer, filled, taken);
        filled += taken;
        return taken;
    }

    private void reserve(int length) {
        if (length > buffer.length) {
            byte[] old = buffer;
            buffer = Arrays.copyOf(old, Math.min(SEGMENT_LENGTH, Math.max(length, 2 * old.length)));
            Arrays.fill(old, (byte) 0);
        }
    }

    private void flush(boolean last) throws IOException {
        write(new Slice(buffer, 0, filled), last);
        filled = 0;
    }

    private void write(Slice payload, boolean last) throws IOException {
        Slice envelope = envelopes.of(payload, new Segment(written + 1, last), memory);
        sink.write(envelope.array(), envelope.offset(), envelope.length());
        written++;
    }

    /**
     * Writes the last envelope. Nothing can be added after.
     *
     * @throws IOException if the sink does not take it
     * @throws IllegalStateException after the end
     * @see Sealer#seal for what else is thrown
     */
    public void finish() throws IOException {
        requireOpen();
        try {
            flush(true);
        } finally {
            close();
        }
    }

    /**
     * Takes all that comes as the whole payload, and writes the last envelope. While segments are written others are
     * read and sealed, on threads of their own: in the memory of a few of them.
     *
     * @param progress is told how many bytes of payload were sealed and written so far
     * @throws IOException if the stream fails, or the sink does not take an envelope
     * @throws IllegalStateException after the end, or if parts were added before
     * @see Sealer#seal for what else is thrown
     */
    public void transferFrom(InputStream in, LongConsumer progress) throws IOException {
        requireOpen();
        if (filled + written > 0) {
            throw new IllegalStateException("segments: the message has begun already");
        }
        try {
            new SealingStages(in, envelopes, sink::write, progress).run();
        } finally {
            close();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("segments: the message has ended");
        }
    }

    /** Wipes what is left, and writes nothing: without {@link #finish} the message stays without an end. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Arrays.fill(buffer, (byte) 0);
            buffer = new byte[0];
            filled = 0;
            release.run();
        }
    }
}
