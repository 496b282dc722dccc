/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
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
    private @Nullable Inflater inflater;
    private boolean reserved;
    private boolean begun;

    /**
     * Makes a stage for a body that arrives in parts. The body waits while there is no memory for an inflater.
     *
     * @param space counts the memory
     */
    public InflatingStage(WaitingBytes.Space space, BodyStage next) {
        this.space = space;
        this.waiting = new WaitingBytes(space, MOST_WAITING);
        this.next = next;
    }

    /** Decompresses a body in memory, and rejects a result beyond a limit in bytes. */
    public static byte[] inflate(byte[] deflated, long mostBytes) throws MessageRejectedException {
        List<byte[]> parts = new ArrayList<>();
        long most = Math.min(mostBytes, Integer.MAX_VALUE - Long.BYTES);
        int length = (int) inflate(deflated, most, (part, count) -> parts.add(Arrays.copyOf(part, count)));
        ByteBuffer whole = ByteBuffer.allocate(length);
        parts.forEach(whole::put);
        return whole.array();
    }

    /**
     * Returns an upper bound for the length of the decompressed body, in bytes. It keeps none of the body.
     *
     * @throws MessageRejectedException if the length exceeds the limit
     */
    public static long inflatedLength(byte[] deflated, long mostBytes) throws MessageRejectedException {
        long possible = (long) MOST_TIMES * deflated.length;
        return possible <= MOST_BUFFERED ? possible : inflate(deflated, mostBytes, (part, count) -> {});
    }

    private static long inflate(byte[] deflated, long mostBytes, ObjIntConsumer<byte[]> into)
            throws MessageRejectedException {
        byte[] part = new byte[(int) Math.min(MOST_BUFFERED, LEAST_BUFFERED + 4L * deflated.length)];
        long length = 0;
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(deflated);
            for (int count = inflater.inflate(part); count > 0; count = inflater.inflate(part)) {
                length += count;
                if (length > mostBytes) {
                    throw new MessageRejectedException(
                            RejectionReason.TOO_LARGE,
                            "body: too large to be protected, more than " + mostBytes + " bytes once decompressed");
                }
                into.accept(part, count);
            }
            if (deflated.length > 0 && (inflater.getRemaining() > 0 || !inflater.finished())) {
                throw invalid();
            }
            return length;
        } catch (DataFormatException e) {
            throw invalid();
        } finally {
            inflater.end();
        }
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
        byte[] inflated = new byte[MOST_BUFFERED]; // no memory stays between the parts
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
