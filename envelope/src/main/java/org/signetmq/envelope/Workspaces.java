/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Workspaces to borrow. A thread looks first where it looked last time, so that few threads share none and many share
 * few, which stay warm. Thread-safe.
 */
final class Workspaces implements AutoCloseable {
    /** Places, apart from each other by a line of the processor's cache; more are wanted by none but giant machines. */
    private static final int PLACES = 64;

    private static final int APART = 16;

    /** As many threads as run at once begin at different places. */
    private static final int BEGINNINGS = Math.min(PLACES, Runtime.getRuntime().availableProcessors());

    private final AtomicReferenceArray<@Nullable Workspace> idle = new AtomicReferenceArray<>(PLACES * APART);
    private volatile boolean closed;

    Workspace take(String owner) {
        if (closed) {
            throw new IllegalStateException(owner + ": used after close");
        }
        int first = beginning();
        for (int i = 0; i < PLACES; i++) {
            int place = place(first + i);
            if (idle.getOpaque(place) != null) {
                Workspace workspace = idle.getAndSet(place, null);
                if (workspace != null) {
                    return workspace;
                }
            }
        }
        return new Workspace();
    }

    void giveBack(Workspace workspace) {
        int first = beginning();
        for (int i = 0; i < PLACES; i++) {
            int place = place(first + i);
            if (idle.getOpaque(place) == null && idle.compareAndSet(place, null, workspace)) {
                if (closed) {
                    drain();
                }
                return;
            }
        }
        workspace.close();
    }

    private static int beginning() {
        return (int) (Thread.currentThread().getId() % BEGINNINGS);
    }

    private static int place(int number) {
        return number % PLACES * APART;
    }

    @Override
    public void close() {
        closed = true;
        drain();
    }

    private void drain() {
        for (int i = 0; i < PLACES; i++) {
            Workspace workspace = idle.getAndSet(i * APART, null);
            if (workspace != null) {
                workspace.close();
            }
        }
    }
}
