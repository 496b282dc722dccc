/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;

/** Several messages in one transaction, among them one that cannot be opened. */
final class TransactedBatchIT extends BrokerTest {
    private static final long NO_MORE = 300;

    private void send(Producer producer, String address) throws Exception {
        producer.send(
                address,
                keys.sealText(address, "one"),
                FailureIT.Flaw.TAMPERED.body(keys, address),
                keys.sealText(address, "two"));
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void batch_usesTheAttemptsOfAllMessagesThatItReceived_andOfNoOther(Client client) throws Exception {
        String address = address("privacy");
        List<String> received = new ArrayList<>();
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            send(producer, address);

            for (int attempt = 1; attempt <= TestBroker.ATTEMPTS; attempt++) {
                Message one = consumer.receive(Taking.PATIENCE);
                received.add(one.getBody(String.class) + " " + one.getIntProperty("JMSXDeliveryCount"));
                assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE))
                        .isInstanceOf(MessageOpenRuntimeException.class);
                context.rollback();
            }

            assertThat(received).containsExactly("one 1", "one 2", "one 3");
            Message two = consumer.receive(Taking.PATIENCE);
            assertThat(two.getBody(String.class)).isEqualTo("two");
            context.commit();
            awaitMessages(address, 0);
            assertThat(broker.messages(TestBroker.DEAD_LETTERS))
                    .as("the one that cannot be opened, and the one before it")
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void singleMessages_useTheAttemptsOfTheOneThatCannotBeOpenedAlone(Client client) throws Exception {
        String address = address("privacy");
        List<String> received = new ArrayList<>();
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            send(producer, address);

            while (received.size() < 2 || broker.messages(address) > 0) {
                Message message = consumer.receive(NO_MORE);
                if (message != null) {
                    received.add(message.getBody(String.class) + " " + message.getIntProperty("JMSXDeliveryCount"));
                    context.commit();
                }
            }

            assertThat(received).containsExactly("one 1", "two 1");
            // the broker takes a message from its queue before it adds it to the dead letters
            await().untilAsserted(() ->
                    assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isEqualTo(1));
        }
    }
}
