/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** A broker that runs out of memory while it protects a message, and again while it rejects one. */
final class WithoutMemoryIT extends OneBroker {
    private static final String MARK = "words for which there was no memory";
    private static final int SENDS = 24;
    private static final int MOST_SENDS = 240;
    private static final int LENGTH = 400_000;

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void memoryThatRunsOutTwice_rejectsTheMessage(Producers producer) throws Exception {
        CountingCryptoService failing = CountingCryptoService.failingWith(() -> new OutOfMemoryError("of the test"));
        setup.plugin(new SignetPlugin(failing));
        homes.policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start("orders");
        RecordingLogs.exhaust(true);
        try {
            producer.send(broker, "orders", MARK);
        } catch (Exception | AssertionError rejected) {
            assertThat(rejected).hasMessageNotContaining(MARK);
        } finally {
            RecordingLogs.exhaust(false);
        }

        assertThat(failing.calls).hasPositiveValue();
        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.disk().filesWith(MARK)).isEmpty();
        assertThat(broker.rejected()).isPositive();
    }

    /** Clients that put whole messages at once into the memory of the broker. */
    enum Client {
        CORE,
        AMQP;

        ConnectionFactory factory(String uri) {
            return this == CORE
                    ? new ActiveMQConnectionFactory(
                            uri + "?minLargeMessageSize=100000000&callTimeout=180000&connectionTtl=10000")
                    : new JmsConnectionFactory(
                            uri.replace("tcp://", "amqp://")
                                    + "?jms.connectTimeout=5000&jms.requestTimeout=5000&jms.sendTimeout=5000&jms.closeTimeout=2000");
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(Client.class)
    void brokerUnderPressure_storesNothingInClear(Client client) throws Exception {
        homes.policies(1, TestHomes.privacy("orders"));
        int sent = 0;
        int rejected = 0;
        try (BrokerProcess broker = BrokerProcess.underPressure(folder, "-Xmx64m")) {
            for (; sent < SENDS || (rejected == 0 && sent < MOST_SENDS); sent++) {
                try (Connection connection = client.factory(broker.uri()).createConnection();
                        Session session = connection.createSession();
                        MessageProducer producer = session.createProducer(session.createQueue("orders"))) {
                    producer.send(session.createTextMessage(MARK + "x".repeat(LENGTH)));
                } catch (JMSException | RuntimeException e) {
                    rejected++;
                }
            }
        }
        System.out.println("WithoutMemoryIT: " + client + ": " + rejected + " of " + sent + " sends rejected");
        assertThat(new DiskScan(folder.resolve("data")).filesWith(MARK)).isEmpty();
        assertThat(rejected).as("rejected: else there was no want of memory").isPositive();
    }
}
