/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One broker that seals arriving messages, and one set of keys, for the tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ProtectingBrokerTest {
    public TestBroker broker;
    public Keys keys;

    @BeforeAll
    void startBroker(@TempDir Path home, @TempDir Path data) throws Exception {
        keys = new Keys(home).forABroker();
        broker = new TestBroker(BrokerLoader.start(ProtectingBroker.class, home, data));
    }

    @AfterAll
    void stopBroker() {
        broker.close();
        keys.close();
    }
}
