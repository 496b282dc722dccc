/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.util.concurrent.ThreadFactory;

/**
 * Makes threads that keep no process alive.
 *
 * @param name the name of each thread
 */
public record DaemonThreads(String name) implements ThreadFactory {
    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
