/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body to send. An event happens when little of it is left. */
final class InterruptedStream extends InputStream {
    private static final int REST = 1_000_000;

    private final InputStream all;
    private final int rest;
    private final Interruption interruption;
    private boolean interrupted;

    /** The event. */
    @FunctionalInterface
    interface Interruption {
        void run() throws IOException;
    }

    /** The event happens in the last megabyte. */
    InterruptedStream(byte[] body, Interruption interruption) {
        this(new ByteArrayInputStream(body), REST, interruption);
    }

    /** The event happens when fewer bytes than this are left. */
    InterruptedStream(InputStream body, int rest, Interruption interruption) {
        this.all = body;
        this.rest = rest;
        this.interruption = interruption;
    }

    @Override
    public int available() throws IOException {
        return all.available();
    }

    @Override
    public int read() throws IOException {
        return all.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (!interrupted && all.available() < rest) {
            interrupted = true;
            interruption.run();
        }
        return all.read(into, offset, length);
    }
}
