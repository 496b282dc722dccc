/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Cases;

/** Policies that come while a large message is on its way. */
final class LatePolicyIT {
    private static final String LATE = "words that came after the policy; ";
    private static final int LOOKS = 20;
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

    /** The broker knows the address by other names, too. A policy names the address alone. */
    @ParameterizedTest
    @Cases({"queue://orders", "orders", "orders::orders"})
    void policyForTheAddressOfAnotherName_rejectsTheMessage_andTheRestIsNotWritten(String given) throws Exception {
        assertNoneOfTheRestIsWritten(
                given,
                PolicySet.of(2, UnmatchedAddress.PASS, List.of(TestHomes.privacy("orders"))),
                "a policy for its address came into force while it was sent");
    }

    @ParameterizedTest
    @Cases({"queue://orders", "orders", "orders::orders"})
    void addressesWithoutAPolicyThatAreRejectedNow_rejectTheMessage(String given) throws Exception {
        assertNoneOfTheRestIsWritten(
                given, PolicySet.of(2, UnmatchedAddress.REJECT, List.of()), "no policy covers the address");
    }

    /** Looks at the disk before the last part arrives: afterwards the broker deletes the file of a rejected message. */
    private void assertNoneOfTheRestIsWritten(String given, PolicySet later, String reason) throws Exception {
        TestBroker.Setup setup = setup();
        List<String> written = new ArrayList<>();
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            InputStream policyComes = new InterruptedStream(BODY, () -> {
                setup.homes().policies(later);
                await().until(() -> broker.state().policies().version() == 2);
            });
            InputStream body = new InterruptedStream(policyComes, 100_000, () -> {
                for (int i = 0; i < LOOKS && written.isEmpty(); i++) {
                    written.addAll(broker.disk().filesWith(LATE));
                }
            });

            assertThatThrownBy(() -> send(broker, given, body))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining(reason);

            assertThat(written).isEmpty();
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
        setup.homes().policies(1, TestHomes.privacy("else"));
        return setup;
    }

    /** Sends a message. A policy for this address comes while it is on its way. */
    private static void send(TestBroker broker, TestBroker.Setup setup, String address) throws Exception {
        InputStream body = new InterruptedStream(BODY, () -> {
            setup.homes().policies(2, TestHomes.privacy(address));
            await().until(() -> broker.state().policies().version() == 2);
        });
        send(broker, "orders", body);
    }

    private static void send(TestBroker broker, String address, InputStream body) throws Exception {
        Producers.jms(Producers.core(broker), address, session -> {
            BytesMessage message = session.createBytesMessage();
            message.setObjectProperty("JMS_AMQ_InputStream", body);
            return message;
        });
    }
}
