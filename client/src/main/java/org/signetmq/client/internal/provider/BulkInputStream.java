/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** An input stream over a source that gives several bytes at once. For one thread at a time. */
public abstract class BulkInputStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public final int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        return length == 0 ? 0 : readSome(into, offset, length);
    }

    /** Reads from one byte to {@code length} bytes. Returns the count; -1 at the end. */
    protected abstract int readSome(byte[] into, int offset, int length) throws IOException;
}
