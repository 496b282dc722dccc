/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.Policy;

/** Policies that come while a large message is on its way. */
@Timeout(60)
final class LatePolicyIT {
    private static final String LATE = "words that came after the policy; ";
    private static final byte[] BODY = Producers.utf8("x".repeat(2_000_000) + LATE.repeat(25_000));

    @TempDir
    private Path folder;

    @Test
    void policyForTheAddress_rejectsTheMessage_andTheRestIsNotWritten() throws Exception {
        TestBroker.Setup setup = setup();
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders");
                DiskWatch watch = new DiskWatch(broker.disk(), LATE)) {
            assertThatThrownBy(() -> send(broker, setup, "orders"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("a policy for its address came into force while it was sent");

            assertThat(watch.seen()).isEmpty();
            assertThat(reader.poll("orders")).isNull();
            assertThat(LargeBodies.openMessages(broker)).isZero();
        }
    }

    @Test
    void policyForAnotherAddress_leavesTheMessageAlone() throws Exception {
        TestBroker.Setup setup = setup();
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            send(broker, setup, "another");

            assertThat(reader.nextBody("orders")).isEqualTo(BODY);
            assertThat(LargeBodies.openMessages(broker)).isZero();
        }
    }

    private TestBroker.Setup setup() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(1, Policy.privacy("else", List.of(TestHomes.CONSUMER)));
        return setup;
    }

    /** Sends a message. A policy for this address comes while it is on its way. */
    private static void send(TestBroker broker, TestBroker.Setup setup, String address) throws Exception {
        InputStream body = new InterruptedStream(BODY, () -> {
            setup.homes().policies(2, Policy.privacy(address, List.of(TestHomes.CONSUMER)));
            await().until(() -> broker.plugin.state().policies().version() == 2);
        });
        Producers.jms(Producers.core(broker), "orders", session -> {
            BytesMessage message = session.createBytesMessage();
            message.setObjectProperty("JMS_AMQ_InputStream", body);
            return message;
        });
    }
}
