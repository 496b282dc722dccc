/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.parse.ClearBodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** Seals its input in segments. */
public final class SealingStage implements ClearBodyStage {
    private final SealerFactory factory;
    private @Nullable SegmentSealer sealer;
    private long length;

    /** Makes the sealer for a body of this kind. */
    @FunctionalInterface
    public interface SealerFactory {
        SegmentSealer create(ClearMessage.Body body) throws MessageRejectedException;
    }

    public SealingStage(SealerFactory factory) {
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
        begun().add(bytes, offset, length);
        this.length += length;
    }

    /** Returns the number of bytes of payload so far. */
    public long length() {
        return length;
    }

    @Override
    public void finish() throws Exception {
        begun().finish();
    }

    @Override
    public void close() {
        if (sealer != null) {
            sealer.close();
        }
    }
}
