/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks for a text in every file below a folder again and again, until closed. */
final class DiskWatch implements AutoCloseable {
    private static final long PATIENCE = 30;

    private final Set<String> seen = new ConcurrentSkipListSet<>();
    private final CountDownLatch scans = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean closed;

    DiskWatch(DiskScan disk, String text) {
        thread = new Thread(
                () -> {
                    while (!closed) {
                        try {
                            seen.addAll(disk.filesWith(text));
                            scans.countDown();
                        } catch (IOException | UncheckedIOException deletedMeanwhile) {
                            // looked at again at once
                        }
                    }
                },
                "disk-watch");
        thread.start();
    }

    /** The files in which the text was; of at least one look at all of them. */
    Set<String> seen() throws InterruptedException {
        assertThat(scans.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
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
