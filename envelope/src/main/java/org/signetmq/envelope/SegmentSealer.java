/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.codec.Pipeline;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.seal.SegmentBuffers;
import org.signetmq.envelope.message.Segment;

/**
 * Seals one large message as its payload arrives: each segment becomes an envelope, in the memory of one segment. The
 * last envelope is marked as the last, also for an empty payload. The policy at the start of the message applies until
 * its end. For one thread at a time. {@link Sealer#segments} creates it.
 */
public final class SegmentSealer implements AutoCloseable {
    /** The bytes of payload in a full segment. All segments but the last are full. */
    public static final int SEGMENT_LENGTH = Segment.FULL_LENGTH;

    /** Takes the envelopes in their order. */
    @FunctionalInterface
    public interface Sink {
        /** Takes one whole envelope. The array is valid only during the call. */
        void write(byte[] bytes, int offset, int length) throws IOException;
    }

    /** Makes the envelope of one segment in this buffer. */
    @FunctionalInterface
    interface Envelopes {
        Slice of(Slice payload, Segment segment, OutputBuffer buffer);
    }

    private final Envelopes envelopes;
    private final boolean encrypted;
    private final Runnable release;
    private final SegmentBuffers.Pool pool;
    private final Sink sink;
    private @Nullable SegmentBuffers buffers;
    private int written;
    private boolean closed;

    /**
     * Creates a sealer at the start of a message.
     *
     * @param encrypted whether the envelopes hide their payload
     * @param release runs once at the end
     * @param pool has the memory of messages whose payload comes in parts
     */
    SegmentSealer(Envelopes envelopes, boolean encrypted, Runnable release, SegmentBuffers.Pool pool, Sink sink) {
        this.envelopes = envelopes;
        this.encrypted = encrypted;
        this.release = release;
        this.pool = pool;
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
        SegmentBuffers segment = buffers();
        if (segment.isFull()) {
            flush(segment, false);
        }
        if (segment.isEmpty() && length > SEGMENT_LENGTH) {
            write(new Slice(bytes, offset, SEGMENT_LENGTH), segment, false);
            return SEGMENT_LENGTH;
        }
        return segment.take(bytes, offset, length);
    }

    /**
     * Seals one segment of the payload, and keeps no memory until the next call. The last one ends the message. A
     * failure ends it, too.
     *
     * @param bytes begin with the payload of the segment
     * @param length of the payload in bytes: {@link #SEGMENT_LENGTH}, or less for the last segment
     * @throws IOException if the sink does not take the envelope
     * @throws IllegalStateException after the end, or if bytes were added before
     * @see Sealer#seal for further exceptions
     */
    public void seal(byte[] bytes, int length, boolean last) throws IOException {
        requireOpen();
        requireNoBytes();
        if (length > SEGMENT_LENGTH || (length < SEGMENT_LENGTH && !last)) {
            throw new IllegalArgumentException("segment: of " + length + " bytes");
        }
        boolean done = false;
        try {
            SegmentBuffers segment = buffers();
            write(new Slice(bytes, 0, length), segment, last);
            giveBack(segment);
            done = true;
        } finally {
            if (last || !done) {
                close();
            }
        }
    }

    private void requireNoBytes() {
        if (buffers != null) {
            throw new IllegalStateException("segments: the message has begun already");
        }
    }

    /** Keeps the buffers after a success. The envelope of a failed message may hold payload in clear. */
    private void giveBack(SegmentBuffers segment) {
        if (encrypted) {
            segment.wipe();
        } else {
            segment.wipeAll();
        }
        pool.giveBack(segment);
        buffers = null;
    }

    private SegmentBuffers buffers() {
        if (buffers == null) {
            buffers = pool.take();
        }
        return buffers;
    }

    private void flush(SegmentBuffers segment, boolean last) throws IOException {
        write(segment.payload(), segment, last);
        segment.next();
    }

    private void write(Slice payload, SegmentBuffers segment, boolean last) throws IOException {
        Slice envelope = envelopes.of(payload, new Segment(written + 1, last), segment.envelope());
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
            SegmentBuffers segment = buffers();
            flush(segment, true);
            giveBack(segment);
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
        requireNoBytes();
        try {
            new Transfer(in, progress).run();
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
            if (buffers != null) {
                buffers.wipeAll();
                buffers = null;
            }
            release.run();
        }
    }

    /** Seals the segments of a stream on several threads. For one run. */
    private final class Transfer implements Pipeline.Stages<Slot> {
        private static final int NOTHING = -1;

        private final InputStream in;
        private final LongConsumer progress;
        private boolean begun;
        private int ahead = NOTHING;
        private int count;
        private long length;

        Transfer(InputStream in, LongConsumer progress) {
            this.in = in;
            this.progress = progress;
        }

        void run() throws IOException {
            List<Slot> slots =
                    Stream.generate(Slot::new).limit(Pipeline.BUFFERS).toList();
            Pipeline.run(slots, this);
            slots.forEach(slot -> Arrays.fill(slot.payload, (byte) 0)); // after success no thread uses them
        }

        /** Fills a slot, and reads one byte ahead to know whether the segment is the last. */
        @Override
        public boolean read(Slot slot) throws IOException {
            if (begun && ahead == NOTHING) {
                return false;
            }
            int kept = 0;
            if (begun) {
                slot.payload[kept++] = (byte) ahead;
            }
            begun = true;
            slot.length = kept + in.readNBytes(slot.payload, kept, slot.payload.length - kept);
            ahead = slot.length < slot.payload.length ? NOTHING : in.read();
            slot.segment = new Segment(++count, ahead == NOTHING);
            return true;
        }

        @Override
        public void work(Slot slot) {
            Segment segment = Objects.requireNonNull(slot.segment, "segment: nothing was read");
            slot.envelope = envelopes.of(new Slice(slot.payload, 0, slot.length), segment, slot.buffer);
        }

        @Override
        public void write(Slot slot) throws IOException {
            Slice envelope = Objects.requireNonNull(slot.envelope, "segment: not sealed");
            slot.envelope = null;
            sink.write(envelope.array(), envelope.offset(), envelope.length());
            length += slot.length;
            progress.accept(length);
        }
    }

    private static final class Slot {
        private final byte[] payload = new byte[SEGMENT_LENGTH];
        private final OutputBuffer buffer = new OutputBuffer();
        private int length;
        private @Nullable Segment segment;
        private @Nullable Slice envelope;
    }
}
