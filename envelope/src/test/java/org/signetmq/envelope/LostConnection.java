/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** A stream that fails when it is read. */
final class LostConnection extends InputStream {
    /** These bytes, and then a failure. */
    static InputStream after(byte[] bytes) {
        return new SequenceInputStream(new ByteArrayInputStream(bytes), new LostConnection());
    }

    @Override
    public int read() throws IOException {
        throw new IOException("connection lost");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        throw new IOException("connection lost");
    }
}
