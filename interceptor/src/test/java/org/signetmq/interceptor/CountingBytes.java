/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.IOException;
import java.io.InputStream;

/** A number of bytes that differ from place to place. */
class CountingBytes extends InputStream {
    private final long length;
    private long position;

    CountingBytes(long length) {
        this.length = length;
    }

    /** How many were read. */
    final long position() {
        return position;
    }

    @Override
    public int read() throws IOException {
        return position == length ? -1 : value(position++) & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
        int count = (int) Math.min(most, length - position);
        for (int i = 0; i < count; i++) {
            into[offset + i] = value(position++);
        }
        return count == 0 && most > 0 ? -1 : count;
    }

    private static byte value(long position) {
        return (byte) (position ^ (position >>> 8) ^ (position >>> 20));
    }
}
