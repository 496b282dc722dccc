/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Workspaces not in use: as many as there ever were threads at once. Thread-safe. */
final class Workspaces implements AutoCloseable {
    private final ConcurrentLinkedQueue<Workspace> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    Workspace take(String owner) {
        if (closed) {
            throw new IllegalStateException(owner + ": used after close");
        }
        Workspace workspace = idle.poll();
        return workspace == null ? new Workspace() : workspace;
    }

    void giveBack(Workspace workspace) {
        idle.add(workspace);
        if (closed) {
            drain();
        }
    }

    @Override
    public void close() {
        closed = true;
        drain();
    }

    private void drain() {
        for (Workspace workspace = idle.poll(); workspace != null; workspace = idle.poll()) {
            workspace.close();
        }
    }
}
