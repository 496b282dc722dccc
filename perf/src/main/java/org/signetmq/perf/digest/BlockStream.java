/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** A stream that reads one block at most at a time, within a limit on the rate. */
final class BlockStream extends FilterInputStream {
    private final int block;
    private final LongConsumer limit;

    BlockStream(InputStream in, int block, LongConsumer limit) {
        super(in);
        this.block = block;
        this.limit = limit;
    }

    /** Returns a stream of this many bytes that are in each array already: it costs nothing to read. */
    static InputStream inMemory(long length) {
        return new InputStream() {
            private long left = length;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] bytes, int offset, int wanted) {
                int read = (int) Math.min(wanted, left);
                left -= read;
                return read == 0 && wanted > 0 ? -1 : read;
            }
        };
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) == 1 ? one[0] & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int wanted) throws IOException {
        int read = in.read(bytes, offset, Math.min(wanted, block));
        if (read > 0) {
            limit.accept(read);
        }
        return read;
    }
}
