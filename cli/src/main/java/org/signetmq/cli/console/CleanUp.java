/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes resources once, the last one first, on close or when the process has to stop. Thread-safe. */
public final class CleanUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CleanUp.class);

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::closeAll, "signet-clean-up");

    public CleanUp() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Adds a resource, and returns it. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        resources.push(resource);
        return resource;
    }

    @Override
    public void close() {
        closeAll();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("clean-up: done by the hook, the process is stopping", e);
        }
    }

    private synchronized void closeAll() {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception e) {
                LOG.warn("clean-up: a resource could not be closed", e); // the others are closed all the same
            }
        }
    }
}
