/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.testkit.Cases;

/** Large messages in clear that the broker moves from an address without a policy to one with a policy. */
final class MovedLargeIT extends OneBroker {
    private static final String MARK = "a large letter in clear ";
    private static final String TEXT = MARK.repeat(40_000);

    private TestBroker broker;

    @BeforeEach
    void protectMovedMessages() throws Exception {
        homes.policies(1, TestHomes.privacy("safe.#"));
        setup.queues(List.of("open", "safe.dead", "safe.expired", "safe.moved"));
        broker = start(setup.with(MovedLargeIT::configure));
    }

    private static void configure(Configuration configuration) {
        configuration.setMessageExpiryScanPeriod(100);
        configuration.addAddressSetting(
                "open",
                new AddressSettings()
                        .setMaxDeliveryAttempts(1)
                        .setDeadLetterAddress(SimpleString.of("safe.dead"))
                        .setExpiryAddress(SimpleString.of("safe.expired")));
    }

    private void send(JmsClient client, long timeToLive) throws Exception {
        JmsClient.send(client.factory(broker), "open", (session, producer) -> {
            producer.setTimeToLive(timeToLive);
            producer.send(session.createTextMessage(TEXT));
        });
    }

    /** Returns whether a message of this queue opens with the text that was sent, and nothing in clear remains. */
    private void assertSealedAt(String address) throws Exception {
        await().until(() -> broker.waiting(address) == 1);
        broker.assertNext(address, TEXT);
        assertThat(broker.waiting("open")).isZero();
        assertThat(broker.queue("open").getDeliveringCount()).isZero();
        broker.awaitNoLargeFiles();
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void expiredMessage_isSealedOnItsWay(JmsClient client) throws Exception {
        send(client, 1);

        assertSealedAt("safe.expired");
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void deadLetter_isSealedOnItsWay_alsoAfterARestart(JmsClient client) throws Exception {
        send(client, 0);
        try (Connection connection = client.factory(broker).createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue("open"))) {
            connection.start();
            assertThat(consumer.receive(180_000)).isNotNull();
            session.rollback();
        }
        await().until(() -> broker.waiting("safe.dead") == 1);
        await().until(() -> broker.disk().largeFiles().size() == 1);
        assertThat(broker.disk().filesWith(MARK.repeat(2))).isEmpty();
        broker.close();
        broker = start(setup.plugin(new SignetPlugin()));

        assertSealedAt("safe.dead");
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void messageMovedByTheManagement_isSealedOnItsWay(JmsClient client) throws Exception {
        send(client, 0);

        assertThat(broker.control("open").moveMessages(null, "safe.moved")).isEqualTo(1);

        assertSealedAt("safe.moved");
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void copyOfADivert_isSealedOnItsWay(JmsClient client) throws Exception {
        broker.server().deployDivert(SafetyNetIT.divert("open", "safe.moved").setExclusive(true));
        send(client, 0);

        assertSealedAt("safe.moved");
    }
}
