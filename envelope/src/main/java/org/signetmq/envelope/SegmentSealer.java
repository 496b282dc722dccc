/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.seal.SealingPipeline;
import org.signetmq.envelope.message.Segment;

/**
 * Seals one large message as its payload arrives: each segment becomes an envelope, in the memory of one segment. The
 * last envelope is marked as the last, also for an empty payload. The policy at the start of the message applies until
 * its end. For one thread at a time. {@link Sealer#segments} creates it.
 */
public final class SegmentSealer implements AutoCloseable {
    /** The bytes of payload in a full segment. All segments but the last are full. */
    public static final int SEGMENT_LENGTH = Segment.FULL_LENGTH;

    private static final int FIRST_LENGTH = 64 << 10;

    /** Takes the envelopes in their order. */
    @FunctionalInterface
    public interface Sink {
        /** Takes one whole envelope. The array is valid only during the call. */
        void write(byte[] bytes, int offset, int length) throws IOException;
    }

    private final SealingPipeline.Envelopes envelopes;
    private final Runnable release;
    private final Sink sink;
    private final OutputBuffer envelopeBuffer = new OutputBuffer();
    private byte[] buffer = new byte[FIRST_LENGTH];
    private int filled;
    private int written;
    private boolean closed;

    /**
     * Creates a sealer at the start of a message.
     *
     * @param release runs once at the end
     */
    SegmentSealer(SealingPipeline.Envelopes envelopes, Runnable release, Sink sink) {
        this.envelopes = envelopes;
        this.release = release;
        this.sink = sink;
    }

    /**
     * Adds bytes of the payload. A failure ends the message.
     *
     * @throws IOException if the sink does not take an envelope
     * @throws IllegalStateException after the end
     * @see Sealer#seal for further exceptions
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

    /** Takes bytes into the segment. It writes a full segment when more follow, because the last has a mark. */
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
        Slice envelope = envelopes.of(payload, new Segment(written + 1, last), envelopeBuffer);
        sink.write(envelope.array(), envelope.offset(), envelope.length());
        written++;
    }

    /**
     * Writes the last envelope and ends the message.
     *
     * @throws IOException if the sink does not take it
     * @throws IllegalStateException after the end
     * @see Sealer#seal for further exceptions
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
     * Seals a stream as the whole payload and ends the message, in the memory of a few segments. Other threads read and
     * seal segments while the caller writes.
     *
     * @param progress takes the number of bytes of payload written so far
     * @throws IOException if the stream fails, or the sink does not take an envelope
     * @throws IllegalStateException after the end, or if bytes were added before
     * @see Sealer#seal for further exceptions
     */
    public void transferFrom(InputStream in, LongConsumer progress) throws IOException {
        requireOpen();
        if (filled + written > 0) {
            throw new IllegalStateException("segments: the message has begun already");
        }
        try {
            new SealingPipeline(in, envelopes, sink::write, progress).run();
        } finally {
            close();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("segments: the message has ended");
        }
    }

    /** Wipes the remaining payload and writes nothing. Without {@link #finish} the message stays incomplete. */
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
