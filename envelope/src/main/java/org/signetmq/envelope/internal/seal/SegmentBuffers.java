/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.util.Arrays;
import java.util.concurrent.LinkedBlockingDeque;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Segment;

/** The memory of one large message: the payload of a segment and its envelope. For one thread at a time. */
public final class SegmentBuffers {
    private static final int FIRST_LENGTH = 64 << 10;

    private final OutputBuffer envelope = new OutputBuffer();
    private byte[] payload = new byte[FIRST_LENGTH];
    private int filled;

    /** The bytes since the last wipe that may hold payload. */
    private int used;

    private SegmentBuffers() {}

    /** Keeps the buffers of finished messages for later ones, which then allocate no memory. Thread-safe. */
    public static final class Pool implements AutoCloseable {
        /** The most buffers that are kept, each of two segments: 16 MiB in all. */
        static final int MOST_KEPT = 8;

        private final LinkedBlockingDeque<SegmentBuffers> idle = new LinkedBlockingDeque<>(MOST_KEPT);
        private volatile boolean closed;

        /** Returns the buffers that were used last, which may still lie in the processor's caches; or new ones. */
        public SegmentBuffers take() {
            SegmentBuffers kept = idle.pollFirst();
            return kept == null ? new SegmentBuffers() : kept;
        }

        /** Keeps wiped buffers. The caller must not use them again. */
        public void giveBack(SegmentBuffers buffers) {
            var unused = idle.offerFirst(buffers);
            if (closed) {
                idle.clear();
            }
        }

        /** Keeps no buffers from now on. */
        @Override
        public void close() {
            closed = true;
            idle.clear();
        }

        int kept() {
            return idle.size();
        }
    }

    /** Returns whether a full segment waits. */
    public boolean isFull() {
        return filled == Segment.FULL_LENGTH;
    }

    /** Returns whether no payload waits. */
    public boolean isEmpty() {
        return filled == 0;
    }

    /** Takes bytes of the payload until the segment is full, and returns how many. */
    public int take(byte[] bytes, int offset, int length) {
        int taken = Math.min(Segment.FULL_LENGTH - filled, length);
        reserve(filled + taken);
        System.arraycopy(bytes, offset, payload, filled, taken);
        filled += taken;
        used = Math.max(used, filled);
        return taken;
    }

    private void reserve(int length) {
        if (length > payload.length) {
            byte[] old = payload;
            payload = Arrays.copyOf(old, Math.min(Segment.FULL_LENGTH, Math.max(length, 2 * old.length)));
            Arrays.fill(old, 0, used, (byte) 0);
        }
    }

    /** Returns the payload that waits. It is valid until more is taken. */
    public Slice payload() {
        return new Slice(payload, 0, filled);
    }

    /** Begins the next segment. */
    public void next() {
        filled = 0;
    }

    /** The memory of envelopes. */
    public OutputBuffer envelope() {
        return envelope;
    }

    /** Wipes the memory of envelopes, too. A signed envelope has its payload in clear. */
    public void wipeAll() {
        wipe();
        envelope.wipe();
    }

    /** Wipes all payload outside the envelopes. */
    public void wipe() {
        Arrays.fill(payload, 0, used, (byte) 0);
        filled = 0;
        used = 0;
    }
}
