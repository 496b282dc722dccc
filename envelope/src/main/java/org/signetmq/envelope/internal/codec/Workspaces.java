/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Workspaces to borrow. A thread looks first where it looked last time, so that few threads share none and many share
 * few, which stay warm. Thread-safe.
 */
public final class Workspaces implements AutoCloseable {
    /** More are wanted by none but giant machines. */
    public static final int PLACES = 64;

    /**
     * Places are apart from each other, and from the length of the array, which all read, by two lines of the
     * processor's cache: they come in pairs.
     */
    private static final int APART = 32;

    /** As many threads as run at once begin at different places. */
    private static final int BEGINNINGS = Math.min(PLACES, Runtime.getRuntime().availableProcessors());

    private final AtomicReferenceArray<@Nullable Workspace> idle = new AtomicReferenceArray<>((PLACES + 1) * APART);
    private volatile boolean closed;

    public Workspace take(String owner) {
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

    public void giveBack(Workspace workspace) {
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

    /** The bytes of recipient infos that those hold which are idle. */
    public long bytesKept() {
        long bytes = 0;
        for (int i = 0; i < PLACES; i++) {
            Workspace workspace = idle.getAndSet(place(i), null);
            if (workspace != null) {
                bytes += workspace.known.bytes();
                giveBack(workspace);
            }
        }
        return bytes;
    }

    private static int beginning() {
        return (int) (Thread.currentThread().getId() % BEGINNINGS);
    }

    private static int place(int number) {
        return (number % PLACES + 1) * APART;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        drain();
    }

    private void drain() {
        for (int i = 0; i < PLACES; i++) {
            Workspace workspace = idle.getAndSet(place(i), null);
            if (workspace != null) {
                workspace.close();
            }
        }
    }
}
