/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that the broker itself moves, expires or copies. */
final class BrokerMovesIT extends WayIn {
    @Override
    void configure(Configuration configuration) {
        configuration.setMessageExpiryScanPeriod(100);
        AddressSettings settings = new AddressSettings()
                .setAutoCreateAddresses(true)
                .setAutoCreateQueues(true)
                .setAutoDeleteQueues(false)
                .setAutoDeleteAddresses(false)
                .setMaxDeliveryAttempts(2)
                .setDeadLetterAddress(SimpleString.of("safe.dead"))
                .setExpiryAddress(SimpleString.of("safe.expired"));
        configuration.addAddressSetting("safe.#", settings);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void divert_beside_isSealedOnce(Producers producer) throws Exception {
        String from = safeQueue();
        String to = safeQueue();
        broker.server().deployDivert(SafetyNetIT.divert(from, to));

        producer.send(broker, from, Letter.text("two copies by " + producer));

        Message original = take(from);
        Message copy = take(to);
        assertThat(open(original, from)).isEqualTo(Letter.text("two copies by " + producer));
        assertThat(body(copy)).isEqualTo(body(original));
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void divert_away_isSealedOnce(Producers producer) throws Exception {
        String from = safeQueue();
        String to = safeQueue();
        broker.server().deployDivert(SafetyNetIT.divert(from, to).setExclusive(true));

        producer.send(broker, from, Letter.text("one copy by " + producer));

        assertThat(open(take(to), from)).isEqualTo(Letter.text("one copy by " + producer));
        assertThat(waiting(from)).isZero();
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void divert_awayFromAnOpenAddress_leavesNothingInClear(Producers producer) throws Exception {
        String from = openQueue();
        String to = safeQueue();
        broker.server().deployDivert(SafetyNetIT.divert(from, to).setExclusive(true));

        producer.send(broker, from, Letter.text("the only copy by " + producer));

        assertThat(open(take(to), to)).isEqualTo(Letter.text("the only copy by " + producer));
        assertThat(waiting(from)).isZero();
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void divertedMessage_keepsItsMetadata(JmsClient client) throws Exception {
        String from = openQueue();
        String to = safeQueue();
        broker.server().deployDivert(SafetyNetIT.divert(from, to).setExclusive(true));

        client.send(broker, from, Letter.text("metadata"));

        Letter.assertDressed(take(to), 1);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void expiredMessage_staysAsItWasSealed(JmsClient client) throws Exception {
        String address = safeQueue();
        queueOnce("safe.expired");
        try (var context = client.factory(broker).createContext()) {
            context.createProducer().setTimeToLive(1).send(context.createQueue(address), Letter.text("too late"));
        }

        Message expired = take("safe.expired");

        assertThat(open(expired, address)).isEqualTo(Letter.text("too late"));
        assertThat(expired.getStringProperty("_AMQ_ORIG_ADDRESS")).isEqualTo(address);
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void redeliveredDeadLetteredAndRetriedMessage_staysAsItWasSealed(JmsClient client) throws Exception {
        String address = safeQueue();
        queueOnce("safe.dead");
        String text = Letter.text("a dead letter by " + client);
        client.send(broker, address, text);

        Letter.assertDressed(rolledBack(client, address), 1);
        Letter.assertDressed(rolledBack(client, address), 2);
        awaitWaiting("safe.dead", 1);
        Message dead = rolledBack(client, "safe.dead");
        assertThat(open(dead, address)).isEqualTo(text);
        Letter.assertMoved(dead, 1);
        assertThat(control("safe.dead").retryMessages()).isEqualTo(1);

        Message retried = take(address);
        assertThat(open(retried, address)).isEqualTo(text);
        Letter.assertMoved(retried, 1);
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void movedMessage_staysAsItWasSealed(JmsClient client) throws Exception {
        String from = safeQueue();
        String to = safeQueue();
        String text = Letter.text("a move");
        client.send(broker, from, text);

        assertThat(control(from).moveMessages(null, to)).isEqualTo(1);

        Message moved = take(to);
        assertThat(open(moved, from)).isEqualTo(text);
        assertThat(moved.getStringProperty("__HDR_ORIG_DESTINATION"))
                .as("for OpenWire, which sees the note on what is stored as AMQP")
                .isEqualTo(client == JmsClient.AMQP ? null : from);
        Letter.assertMoved(moved, 1);
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void movedMessage_ofAnUnprotectedAddress_isLeftToArtemis() throws Exception {
        String from = openQueue();
        String to = openQueue();
        JmsClient.CORE.send(broker, from, "not a secret");

        assertThat(control(from).moveMessages(null, to)).isEqualTo(1);

        Message moved = take(to);
        assertThat(moved.getStringProperty("_AMQ_ORIG_ADDRESS")).isEqualTo(from);
        assertThat(moved.propertyExists("__HDR_ORIG_DESTINATION")).isFalse();
    }

    @Test
    void messageSentByTheManagementToAQueue_isSealed() throws Exception {
        String address = safeQueue();

        control(address).sendMessage(Map.of("colour", "blue"), 3, Letter.text("a console"), true, null, null);

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(Letter.text("a console"));
        assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void messageSentByTheManagementToAnAddress_isSealed() throws Exception {
        String address = safeQueue();

        broker.server()
                .getManagementService()
                .getAddressControl(address)
                .sendMessage(Map.of("colour", "blue"), 3, Letter.text("a console"), true, null, null);

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(Letter.text("a console"));
        assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
        assertThat(sealed()).isEqualTo(1);
    }

    private QueueControl control(String queue) {
        return broker.control(queue);
    }

    /** Receives a message and gives it back. */
    private Message rolledBack(JmsClient client, String queue) throws Exception {
        try (Connection connection = client.factory(broker).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                var consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            Message message = consumer.receive(180_000);
            assertThat(message).isNotNull();
            session.rollback();
            return message;
        }
    }
}
