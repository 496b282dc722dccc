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

    /** Leaves the machine to the broker between two looks. */
    private static final long PAUSE_MILLIS = 50;

    private final Set<String> seen = new ConcurrentSkipListSet<>();
    private final CountDownLatch scans = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    DiskWatch(DiskScan disk, String text) {
        thread = new Thread(() -> watch(disk, text), "disk-watch");
        thread.start();
    }

    private void watch(DiskScan disk, String text) {
        try {
            do {
                try {
                    seen.addAll(disk.filesWith(text));
                    scans.countDown();
                } catch (IOException | UncheckedIOException deletedMeanwhile) {
                    // the next look finds what is there then
                }
            } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The files in which the text was; of at least one look at all of them. */
    Set<String> seen() throws InterruptedException {
        assertThat(scans.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
        return seen;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
