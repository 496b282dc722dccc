/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.ClearMessage;

/** Keeps the payload of a clear body in memory. It copies the payload for each part, so it is for few large parts. */
public final class CollectingStage implements ClearBodyStage {
    private ClearMessage.@Nullable Body kind;
    private byte[] payload = new byte[0];

    @Override
    public void begin(ClearMessage.Body body) {
        if (kind == null) {
            kind = body;
        }
    }

    @Override
    public void add(byte[] bytes, int offset, int length) {
        int filled = payload.length;
        payload = Arrays.copyOf(payload, filled + length);
        System.arraycopy(bytes, offset, payload, filled, length);
    }

    @Override
    public void finish() {
        // the whole body is in memory
    }

    /**
     * Returns the content of the body.
     *
     * @throws IllegalStateException if no body began
     */
    public BodyContent content() {
        if (kind == null) {
            throw new IllegalStateException("body: not begun");
        }
        return BodyContent.of(kind, payload);
    }
}
