/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.lang.ref.WeakReference;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of an updater. It starts with the first target, and holds the updater only while it works, so that an
 * updater without users disappears with its thread. Thread-safe.
 */
final class FetchThread {
    private static final Logger LOG = LoggerFactory.getLogger(FetchThread.class);
    private static final long INTERVAL_SECONDS = 1;

    private final WeakReference<RevocationUpdater> updater;
    private final RevocationUpdater.Mode mode;
    private final Semaphore bell = new Semaphore(0);
    private @Nullable Thread thread; // guarded by this
    private boolean closed; // guarded by this

    FetchThread(RevocationUpdater updater, RevocationUpdater.Mode mode) {
        this.updater = new WeakReference<>(updater);
        this.mode = mode;
    }

    /** Starts the thread if it does not run, and lets it look for work. */
    void wake() {
        if (mode == RevocationUpdater.Mode.BACKGROUND) {
            start();
            bell.release();
        }
    }

    private synchronized void start() {
        if ((thread == null || !thread.isAlive()) && !closed) {
            Thread made = new Thread(new Work(updater, bell), "signet-revocation");
            made.setDaemon(true);
            made.start();
            thread = made;
        }
    }

    synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Fetches what is due, again and again. */
    private record Work(WeakReference<RevocationUpdater> updater, Semaphore bell) implements Runnable {
        @Override
        public void run() {
            try {
                while (fetch()) {
                    if (bell.tryAcquire(INTERVAL_SECONDS, TimeUnit.SECONDS)) {
                        bell.drainPermits();
                    }
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean fetch() throws InterruptedException {
            RevocationUpdater working = updater.get();
            if (working == null) {
                return false;
            }
            try {
                working.fetchDue(FetchLimits.ROUND);
            } catch (InterruptedException closed) {
                throw closed;
            } catch (Throwable unexpected) { // also an error: the next round must come
                LOG.warn("revocations could not be fetched", unexpected);
            }
            return true;
        }
    }
}
