/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Decompresses bodies that Core clients compressed. */
public final class InflatingStage implements BodyStage {
    private static final int LEAST_BUFFERED = 1 << 10;
    private static final int MOST_BUFFERED = 64 << 10;

    private final BodyStage next;
    private final Inflater inflater = new Inflater();
    private final byte[] inflated;
    private boolean begun;

    /** Makes a stage for a body that arrives in parts. */
    public InflatingStage(BodyStage next) {
        this(MOST_BUFFERED, next);
    }

    private InflatingStage(int buffered, BodyStage next) {
        this.inflated = new byte[buffered];
        this.next = next;
    }

    /** Decompresses a body in memory, and rejects a result beyond a limit in bytes. */
    public static byte[] inflate(byte[] deflated, long mostBytes) throws MessageRejectedException {
        BoundedStage whole = new BoundedStage(
                mostBytes, "body: too large to be protected, more than " + mostBytes + " bytes once decompressed");
        int buffered = (int) Math.min(MOST_BUFFERED, LEAST_BUFFERED + 4L * deflated.length);
        new InflatingStage(buffered, whole).takeWhole(ByteBuffer.wrap(deflated));
        return whole.toByteArray();
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        begun = begun || length > 0;
        inflater.setInput(bytes, offset, length);
        try {
            for (int count = inflater.inflate(inflated); count > 0; count = inflater.inflate(inflated)) {
                next.add(inflated, 0, count);
            }
        } catch (DataFormatException e) {
            throw invalid();
        }
        if (inflater.getRemaining() > 0) {
            throw invalid();
        }
    }

    @Override
    public void finish() throws Exception {
        if (begun && !inflater.finished()) {
            throw invalid();
        }
        next.finish();
    }

    private static MessageRejectedException invalid() {
        return new MessageRejectedException("body: marked as compressed, but cannot be decompressed");
    }

    @Override
    public void close() {
        inflater.end();
        next.close();
    }
}
