/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageImpl;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.testkit.Cases;

/** Large messages that a client within the broker fetches: the broker may copy them, or give them up. */
final class LargeFetchIT {
    private static final String PROTECTED = "orders";
    private static final String OPEN = "open";
    private static final int IN_MEMORY = 400_000;
    private static final int IN_A_FILE = 1_300_000;

    private TestBroker broker;
    private StorageManager storage;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).own();
        setup.homes().policies(1, TestHomes.privacy(PROTECTED));
        broker = setup.start();
        storage = broker.server().getStorageManager();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** Begins a message as a federation does. */
    private LargeServerMessage begin(String address, int length) throws Exception {
        Message fetched = new ClientLargeMessageImpl()
                .setType(Message.BYTES_TYPE)
                .setDurable(true)
                .setAddress(address);
        LargeServerMessage made = storage.createCoreLargeMessage(storage.generateID(), fetched);
        made.addBytes(Producers.utf8(LargeBodies.text(length)));
        return made;
    }

    /** The copy has the clear body neither on the disk nor for anybody else, and its body is not lost in silence. */
    @ParameterizedTest
    @Cases({"orders, 1300000", "open, 400000", "orders, 400000", "open, 1300000"})
    void copyOfABodyThatIsNotJudged_isRejected(String address, int length) throws Exception {
        try (QueueReader reader = new QueueReader(broker).queue(PROTECTED).queue(OPEN)) {
            LargeServerMessage made = begin(address, length);
            made.releaseResources(true, true);

            Message copy = made.toMessage().copy(storage.generateID());

            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            assertThatThrownBy(() -> broker.server().getPostOffice().route(copy, false))
                    .isInstanceOf(ActiveMQException.class)
                    .hasMessageContaining("copied its body before");
            assertThat(reader.poll(address)).isNull();
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        }
    }

    /** The rejection of one copy does not touch the messages after it. */
    @Test
    void messageAfterARejectedCopy_passes() throws Exception {
        try (QueueReader reader = new QueueReader(broker).queue(OPEN)) {
            LargeServerMessage made = begin(OPEN, IN_MEMORY);
            made.releaseResources(true, true);
            Message copy = made.toMessage().copy(storage.generateID());
            assertThatThrownBy(() -> broker.server().getPostOffice().route(copy, false))
                    .isInstanceOf(ActiveMQException.class);

            broker.server().getPostOffice().route(made.toMessage(), false);

            assertThat(reader.nextBody(OPEN)).isEqualTo(Producers.utf8(LargeBodies.text(IN_MEMORY)));
        }
    }

    /** A federation that loses its connection within a message does not say so. */
    @ParameterizedTest
    @ValueSource(ints = {IN_MEMORY, IN_A_FILE})
    void bodyOfAMessageThatIsGivenUp_isDropped(int length) throws Exception {
        giveUp(length);
        assertThat(LargeBodies.openMessages(broker)).isOne();

        Awaitility.await().untilAsserted(() -> {
            System.gc();
            LargeServerMessage next = begin(PROTECTED, 100);
            next.deleteFile();
            assertThat(LargeBodies.openMessages(broker)).isZero();
            assertThat(LargeBodies.heldBytes(broker)).isZero();
            assertThat(broker.disk().scratchFiles()).isZero();
        });
    }

    private void giveUp(int length) throws Exception {
        LargeServerMessage lost = begin(PROTECTED, length);
        lost.releaseResources(false, false);
    }
}
