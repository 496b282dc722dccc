/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.parse.ClearBodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;

/** Seals its input in segments. The payload waits until more follows a full segment, because the last has a mark. */
public final class SealingStage implements ClearBodyStage {
    private final SealerFactory factory;
    private final WaitingBytes segment;
    private @Nullable SegmentSealer sealer;
    private long length;

    /** Makes the sealer for a body of this kind. */
    @FunctionalInterface
    public interface SealerFactory {
        SegmentSealer create(ClearMessage.Body body) throws MessageRejectedException;
    }

    /**
     * Makes a stage.
     *
     * @param space for the payload of one segment
     */
    public SealingStage(WaitingBytes.Space space, SealerFactory factory) {
        this.segment = new WaitingBytes(space, SegmentSealer.SEGMENT_LENGTH);
        this.factory = factory;
    }

    @Override
    public void begin(ClearMessage.Body body) throws MessageRejectedException {
        if (sealer == null) {
            sealer = factory.create(body);
        }
    }

    private SegmentSealer begun() {
        if (sealer == null) {
            throw new IllegalStateException("body: not begun");
        }
        return sealer;
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        int taken;
        for (int done = 0; done < length; done += taken) {
            if (segment.length() == SegmentSealer.SEGMENT_LENGTH) {
                seal(false);
            }
            taken = (int) Math.min(length - done, SegmentSealer.SEGMENT_LENGTH - segment.length());
            segment.add(bytes, offset + done, taken);
        }
        this.length += length;
    }

    private void seal(boolean last) throws Exception {
        segment.readWhole((bytes, count) -> begun().seal(bytes, count, last));
        segment.clear();
    }

    /** Returns the number of bytes of payload so far. */
    public long length() {
        return length;
    }

    @Override
    public void finish() throws Exception {
        seal(true);
    }

    @Override
    public void close() {
        segment.close();
        if (sealer != null) {
            sealer.close();
        }
    }
}
