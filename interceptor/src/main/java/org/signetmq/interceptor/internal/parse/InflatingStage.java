/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;

/** Decompresses bodies that Core clients compressed. */
public final class InflatingStage implements BodyStage {
    private static final int LEAST_BUFFERED = 1 << 10;
    private static final int MOST_BUFFERED = 64 << 10;

    /** The memory of an inflater outside the heap, in bytes. */
    private static final int WINDOW = 40 << 10;

    /** The greatest multiple of its length to which a body can decompress. */
    private static final int MOST_TIMES = 1032;

    private static final int MOST_WAITING = 64 << 10;

    private static final byte[] NOTHING = new byte[0];

    private final BodyStage next;
    private final WaitingBytes.Space space;
    private final WaitingBytes waiting;
    private final int buffered;
    private @Nullable Inflater inflater;
    private boolean reserved;
    private boolean begun;

    /**
     * Makes a stage for a body that arrives in parts. The body waits while there is no memory for an inflater.
     *
     * @param space counts the memory
     */
    public InflatingStage(WaitingBytes.Space space, BodyStage next) {
        this(space, MOST_BUFFERED, next);
    }

    private InflatingStage(WaitingBytes.Space space, int buffered, BodyStage next) {
        this.space = space;
        this.waiting = new WaitingBytes(space, MOST_WAITING);
        this.buffered = buffered;
        this.next = next;
    }

    /** Decompresses a body in memory, and rejects a result beyond a limit in bytes. */
    public static byte[] inflate(byte[] deflated, long mostBytes) throws MessageRejectedException {
        BoundedStage whole = new BoundedStage(mostBytes, tooLong(mostBytes));
        into(deflated, whole);
        return whole.toByteArray();
    }

    /**
     * Returns an upper bound for the length of the decompressed body, in bytes. It keeps none of the body.
     *
     * @throws MessageRejectedException if the length exceeds the limit
     */
    public static long inflatedLength(byte[] deflated, long mostBytes) throws MessageRejectedException {
        long possible = (long) MOST_TIMES * deflated.length;
        if (possible <= MOST_BUFFERED) {
            return possible;
        }
        Counting counting = new Counting(mostBytes);
        into(deflated, counting);
        return counting.length;
    }

    private static final class Counting implements BodyStage {
        private final long mostBytes;
        private long length;

        Counting(long mostBytes) {
            this.mostBytes = mostBytes;
        }

        @Override
        public void add(byte[] bytes, int offset, int count) throws MessageRejectedException {
            length += count;
            if (length > mostBytes) {
                throw new MessageRejectedException(RejectionReason.TOO_LARGE, tooLong(mostBytes));
            }
        }

        @Override
        public void finish() {
            // the length is known
        }
    }

    private static String tooLong(long mostBytes) {
        return "body: too large to be protected, more than " + mostBytes + " bytes once decompressed";
    }

    private static void into(byte[] deflated, BodyStage next) throws MessageRejectedException {
        int buffered = (int) Math.min(MOST_BUFFERED, LEAST_BUFFERED + 4L * deflated.length);
        new InflatingStage(WaitingBytes.Space.UNLIMITED, buffered, next).takeWhole(ByteBuffer.wrap(deflated));
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        begun = begun || length > 0;
        if (inflater == null) {
            reserved = space.reserve(WINDOW);
            if (!reserved) {
                waiting.add(bytes, offset, length);
                return;
            }
        }
        inflate(bytes, offset, length);
    }

    private Inflater started() throws Exception {
        Inflater made = inflater;
        if (made == null) {
            made = new Inflater();
            inflater = made;
            waiting.read(this::inflate);
            waiting.close();
        }
        return made;
    }

    private void inflate(byte[] bytes, int offset, int length) throws Exception {
        Inflater running = started();
        byte[] inflated = new byte[buffered]; // no memory stays between the parts
        running.setInput(bytes, offset, length);
        try {
            for (int count = running.inflate(inflated); count > 0; count = running.inflate(inflated)) {
                next.add(inflated, 0, count);
            }
        } catch (DataFormatException e) {
            throw invalid();
        }
        if (running.getRemaining() > 0) {
            throw invalid();
        }
        running.setInput(NOTHING); // it would keep the whole part
    }

    @Override
    public void finish() throws Exception {
        if (begun && !started().finished()) {
            throw invalid();
        }
        next.finish();
    }

    private static MessageRejectedException invalid() {
        return new MessageRejectedException("body: marked as compressed, but cannot be decompressed");
    }

    @Override
    public void close() {
        if (inflater != null) {
            inflater.end();
        }
        if (reserved) {
            reserved = false;
            space.release(WINDOW);
        }
        waiting.close();
        next.close();
    }
}
