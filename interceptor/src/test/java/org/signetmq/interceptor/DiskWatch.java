/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Looks for a text in every file below a folder again and again, until closed. */
final class DiskWatch implements AutoCloseable {
    private final Set<String> seen = new ConcurrentSkipListSet<>();
    private final Thread thread;
    private volatile boolean closed;

    DiskWatch(DiskScan disk, String text) {
        thread = new Thread(
                () -> {
                    while (!closed) {
                        try {
                            seen.addAll(disk.filesWith(text));
                        } catch (IOException | UncheckedIOException deletedMeanwhile) {
                            // looked at again at once
                        }
                    }
                },
                "disk-watch");
        thread.start();
    }

    /** The files in which the text was. */
    Set<String> seen() {
        return seen;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
