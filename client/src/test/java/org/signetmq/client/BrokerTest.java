/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.RecordingLogs;

/** One broker and one set of keys for the tests of a class; every test has addresses of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BrokerTest {
    private final AtomicInteger addresses = new AtomicInteger();

    public TestBroker broker;
    public Keys keys;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        keys = new Keys(folder);
        broker = new TestBroker();
    }

    @BeforeEach
    void clearDeadLetters() throws Exception {
        RecordingLogs.forget();
        broker.clearDeadLetters();
    }

    @AfterAll
    void stop() {
        broker.close();
        keys.close();
    }

    /** An address of this quality that no other test uses. */
    String address(String quality) {
        return quality + ".a" + addresses.incrementAndGet();
    }

    SignetConnectionFactory signet(TestBroker.Client client) {
        return SignetConnectionFactory.wrap(broker.factory(client), keys.opener());
    }

    /** For tests that want the reason of each failure. */
    SignetConnectionFactory throwing(TestBroker.Client client) {
        return signet(client).withOpenFailuresThrown();
    }
}
