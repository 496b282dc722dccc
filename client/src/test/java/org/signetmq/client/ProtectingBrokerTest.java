/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One broker with the plugin and a journal, which seals arriving messages, for the tests of a class. */
public abstract class ProtectingBrokerTest extends BrokerTest {
    private Path plainData;
    private @Nullable TestBroker plain;

    @BeforeAll
    void prepare(@TempDir Path folder) {
        plainData = folder;
    }

    @Override
    TestBroker started(Path data) throws Exception {
        return new TestBroker(data, keys.folder);
    }

    /** Returns a broker without the plugin, which stores as the other one does. */
    final TestBroker plain() throws Exception {
        if (plain == null) {
            plain = new TestBroker(plainData, null);
        }
        return plain;
    }

    @BeforeEach
    void clearPlain() {
        if (plain != null) {
            plain.clearDeadLetters();
        }
    }

    @AfterAll
    void stopBrokers() {
        broker.close();
        if (plain != null) {
            plain.close();
        }
    }
}
