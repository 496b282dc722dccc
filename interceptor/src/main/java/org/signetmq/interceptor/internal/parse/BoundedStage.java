/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.signetmq.interceptor.internal.audit.RejectionReason;

/** Keeps a body of unknown length in memory, and rejects a body beyond a limit. */
public final class BoundedStage implements BodyStage {
    private final long mostBytes;
    private final String reason;
    private final List<byte[]> parts = new ArrayList<>();
    private int length;

    /**
     * Makes an empty stage.
     *
     * @param mostBytes the limit in bytes
     * @param reason the text of the rejection
     */
    public BoundedStage(long mostBytes, String reason) {
        this.mostBytes = Math.min(mostBytes, Integer.MAX_VALUE - Long.BYTES);
        this.reason = reason;
    }

    @Override
    public void add(byte[] part, int offset, int added) throws MessageRejectedException {
        if (length + (long) added > mostBytes) {
            throw new MessageRejectedException(RejectionReason.TOO_LARGE, reason);
        }
        parts.add(Arrays.copyOfRange(part, offset, offset + added));
        length += added;
    }

    @Override
    public void finish() {
        // the whole body is in memory
    }

    /** Returns a copy of the bytes. */
    public byte[] toByteArray() {
        ByteBuffer whole = ByteBuffer.allocate(length);
        parts.forEach(whole::put);
        return whole.array();
    }
}
