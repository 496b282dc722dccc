/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body to send. An event happens in its last megabyte. */
final class InterruptedStream extends InputStream {
    private static final int REST = 1_000_000;

    private final ByteArrayInputStream all;
    private final Interruption interruption;
    private boolean interrupted;

    /** The event. */
    @FunctionalInterface
    interface Interruption {
        void run() throws IOException;
    }

    InterruptedStream(byte[] body, Interruption interruption) {
        this.all = new ByteArrayInputStream(body);
        this.interruption = interruption;
    }

    @Override
    public int read() {
        return all.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (!interrupted && all.available() < REST) {
            interrupted = true;
            interruption.run();
        }
        return all.read(into, offset, length);
    }
}
