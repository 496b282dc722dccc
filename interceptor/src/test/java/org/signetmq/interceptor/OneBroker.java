/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.RecordingLogs;

/** Tests with homes of their own. Brokers and clients are closed after the test, the last one first. */
public abstract class OneBroker {
    @TempDir
    protected Path folder;

    protected TestBroker.Setup setup;
    protected TestHomes homes;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @BeforeEach
    void makeHomes() {
        RecordingLogs.forget();
        setup = new TestBroker.Setup(folder);
        homes = setup.homes();
    }

    /** Starts the broker of these homes, and makes queues. */
    protected TestBroker start(String... queues) throws Exception {
        return start(setup, queues);
    }

    /** Starts a broker, and makes queues. */
    protected TestBroker start(TestBroker.Setup other, String... queues) throws Exception {
        TestBroker broker = closing(other.start());
        for (String queue : queues) {
            broker.reader().queue(queue);
        }
        return broker;
    }

    /** Closes a resource after the test. */
    protected <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    @AfterEach
    void closeAll() throws Exception {
        if (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } finally {
                closeAll();
            }
        }
    }
}
