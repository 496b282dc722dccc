/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.signetmq.interceptor.internal.body.MessageRejectedException;

/** Undoes the compression of Core clients, as the body comes. */
public final class InflatingStage implements BodyStage {
    private final BodyStage next;
    private final Inflater inflater = new Inflater();
    private final byte[] inflated = new byte[64 << 10];
    private boolean begun;

    public InflatingStage(BodyStage next) {
        this.next = next;
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
            throw cannot();
        }
        if (inflater.getRemaining() > 0) {
            throw cannot();
        }
    }

    @Override
    public void finish() throws Exception {
        if (begun && !inflater.finished()) {
            throw cannot();
        }
        next.finish();
    }

    private static MessageRejectedException cannot() {
        return new MessageRejectedException("body: said to be compressed, but cannot be decompressed");
    }

    @Override
    public void close() {
        inflater.end();
        next.close();
    }
}
