/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Stomp;

final class RejectionIT extends OneBroker {
    private static final String TEXT = "never to be seen in clear, 9876543210 ".repeat(8);

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void runtimeExceptionInSealing_rejectsTheMessage(Producers producer) throws Exception {
        rejectsWhenSealingFails(producer, CountingCryptoService.failingWith(() -> new IllegalStateException(TEXT)));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void errorInSealing_rejectsTheMessage(Producers producer) throws Exception {
        rejectsWhenSealingFails(producer, CountingCryptoService.failingWith(() -> new StackOverflowError(TEXT)));
    }

    private void rejectsWhenSealingFails(Producers producer, CountingCryptoService failing) throws Exception {
        RecordingLogs.forget();
        setup.plugin(new SignetPlugin(failing));
        homes.policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> producer.send(broker, "orders", TEXT)).hasMessageNotContaining("never to be seen");

        assertThat(failing.calls).hasPositiveValue();
        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.disk().filesWith("never to be seen")).isEmpty();
        assertThat(broker.rejected()).isPositive();
        assertThat(RecordingLogs.lines()).isNotEmpty().noneMatch(line -> line.contains("never to be seen"));
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void transactedSend_rejected_commitFails(JmsClient client) throws Exception {
        homes.policies(1, clientSealed("orders"));
        TestBroker broker = start("orders");
        Connection connection = closing(client.factory(broker).createConnection());
        Session session = closing(connection.createSession(true, Session.SESSION_TRANSACTED));
        MessageProducer producer = closing(session.createProducer(session.createQueue("orders")));

        assertThatThrownBy(() -> {
                    producer.send(session.createTextMessage(TEXT));
                    session.commit();
                })
                .isInstanceOf(JMSException.class);

        assertThat(broker.poll("orders")).isNull();
    }

    @Test
    void stompClient_isToldTheReason() throws Exception {
        homes.policies(1, clientSealed("orders"));
        TestBroker broker = start();
        for (int i = 0; i < 3; i++) { // the broker closes a connection after each error
            try (Stomp client = Producers.stomp(broker)) {
                assertThatThrownBy(() -> client.sendText("orders", TEXT))
                        .hasMessageContaining("ERROR")
                        .hasMessageContaining("\n\nmessage to orders rejected: " + MessageSealer.NOT_SEALED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"MQTT_3", "MQTT_5", "OPENWIRE"})
    void homeThatOthersMayChange_isToldWithoutAPathOfTheBroker(Producers producer) throws Exception {
        homes.policies(1, TestHomes.privacy("orders"));
        Files.setPosixFilePermissions(homes.broker.trust(), PosixFilePermissions.fromString("rwxrwxrwx"));
        TestBroker broker = start();
        assertThatThrownBy(() -> producer.send(broker, "orders", TEXT))
                .hasMessageContaining(Rejections.WITHOUT_PATH)
                .hasMessageNotContaining(folder.toString())
                .hasMessageNotContaining("chmod");
        assertThat(broker.state().reason()).contains("chmod go-w " + folder);
    }

    @Test
    void autoCommitSession_afterARejection_goesOn() throws Exception {
        homes.policies(1, clientSealed("orders"));
        TestBroker broker = start("free");
        Connection connection = closing(Producers.core(broker).createConnection());
        Session session = closing(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
        MessageProducer producer = closing(session.createProducer(null));
        var rejected = session.createQueue("orders");
        assertThatThrownBy(() -> producer.send(rejected, session.createTextMessage(TEXT)))
                .isInstanceOf(JMSException.class);

        producer.send(session.createQueue("free"), session.createTextMessage("hello"));

        assertThat(broker.poll("free")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(Producers.class)
    void clearMessage_whereThePolicyWantsItSealedByTheClient_isRejected(Producers producer) throws Exception {
        homes.policies(1, clientSealed("orders"));
        TestBroker broker = start("orders");

        sendIgnoringWhatTheClientNotices(producer, broker);

        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.rejected()).isPositive();
    }

    /** An MQTT 5 client gets a reason code, which the simple client of Paho does not throw. */
    private static void sendIgnoringWhatTheClientNotices(Producers producer, TestBroker broker) {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> producer.send(broker, "orders", TEXT)) != null
                        || producer == Producers.MQTT_5)
                .isTrue();
    }

    @Test
    void unmatchedAddress_whereTheSetRejects_isRejected() throws Exception {
        homes.policies(PolicySet.of(1, UnmatchedAddress.REJECT, List.of(Policy.integrity("orders"))));
        TestBroker broker = start("other");

        assertThatThrownBy(() -> Producers.CORE.send(broker, "other", TEXT))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("no policy covers the address");

        assertThat(broker.poll("other")).isNull();
    }

    @Test
    void senderWithoutPermission_isRejectedWithoutAnyCryptography() throws Exception {
        CountingCryptoService counting = CountingCryptoService.working();
        setup.plugin(new SignetPlugin(counting)).secured();
        homes.policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start("orders");
        var mallory =
                new org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory(broker.uri(), "mallory", "secret");

        assertThatThrownBy(() -> Producers.jms(mallory, "orders", session -> session.createTextMessage(TEXT)))
                .isInstanceOf(jakarta.jms.JMSSecurityException.class);

        assertThat(counting.calls).hasValue(0);
        assertThat(broker.poll("orders")).isNull();
    }

    @Test
    void policyRemoved_protectorHearsOfItWithoutAMessage() throws Exception {
        CountingCryptoService counting = CountingCryptoService.working();
        setup.plugin(new SignetPlugin(counting));
        PolicySet before = setup.homes().policies(1, TestHomes.privacy("orders"));
        TestBroker broker = setup.start();
        try {
            assertThat(counting.retained).isEqualTo(before);

            PolicySet after = setup.homes().policies(2);

            await().until(() -> counting.retained.equals(after));
        } finally {
            broker.close();
        }
    }

    private static Policy clientSealed(String address) {
        return TestHomes.privacy(address).with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT));
    }
}
