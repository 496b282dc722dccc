/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;

/** Messages are acknowledged when the application has them, neither earlier nor later. */
final class SettlementIT extends BrokerTest {
    @ParameterizedTest
    @EnumSource(Client.class)
    void autoAcknowledge_leavesWhatTheClientHoldsInAdvance(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client))) {
            sendTexts(producer, address, "one", "two", "three");
            try (Connection connection = signet(client).createConnection()) {
                Session session = connection.createSession();
                MessageConsumer first = session.createConsumer(session.createQueue(address));
                connection.start();
                assertThat(first.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("one");
            }

            assertThat(takeTexts(client, address, 2)).containsExactly("two", "three");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void twoConsumersOfOneSession_failureOfOne_losesNothingOfTheOther(Client client) throws Exception {
        String good = address("privacy");
        String bad = address("privacy");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, bad);
        try (Producer producer = new Producer(broker.factory(client))) {
            sendTexts(producer, good, "one", "two", "three");
            producer.send(bad, flawed);
            List<String> texts = new ArrayList<>();
            try (Connection connection = throwing(client).createConnection()) {
                Session session = connection.createSession();
                MessageConsumer fromGood = session.createConsumer(session.createQueue(good));
                MessageConsumer fromBad = session.createConsumer(session.createQueue(bad));
                connection.start();

                for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                    texts.add(fromGood.receive(Taking.PATIENCE).getBody(String.class));
                    assertThatThrownBy(() -> fromBad.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenException.class);
                }
            }

            assertThat(texts).containsExactly("one", "two", "three");
            awaitMessages(good, 0);
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void listenerThatThrows_getsTheMessageAgain(Client client) throws Exception {
        String address = address("privacy");
        List<Integer> counts = Collections.synchronizedList(new ArrayList<>());
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            listen(context, address, message -> {
                counts.add(message.getIntProperty("JMSXDeliveryCount"));
                if (counts.size() == 1) {
                    throw new IllegalStateException("first time");
                }
            });

            sendTexts(producer, address, "one");

            Awaitility.await().until(() -> counts.size() == 2 && broker.messages(address) == 0);
            assertThat(counts).containsExactly(1, 2);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void listenerThatRecovers_getsTheMessageAgain(Client client) throws Exception {
        String address = address("privacy");
        List<Boolean> redelivered = Collections.synchronizedList(new ArrayList<>());
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            listen(context, address, message -> {
                redelivered.add(message.getJMSRedelivered());
                if (redelivered.size() == 1) {
                    context.recover();
                }
            });

            sendTexts(producer, address, "one");

            Awaitility.await().until(() -> redelivered.size() == 2 && broker.messages(address) == 0);
            assertThat(redelivered).containsExactly(false, true);
        }
    }

    /** The ActiveMQ client never acknowledges the last message before its consumer is closed, in any mode. */
    @ParameterizedTest
    @EnumSource(value = Client.class, names = "OPENWIRE", mode = EnumSource.Mode.EXCLUDE)
    void listenerThatClosesItsConsumer_hasTakenTheMessage(Client client) throws Exception {
        String address = address("privacy");
        List<String> texts = Collections.synchronizedList(new ArrayList<>());
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = signet(client).createConnection()) {
            sendTexts(producer, address, "one", "two");
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            consumer.setMessageListener(checked(message -> {
                texts.add(message.getBody(String.class));
                consumer.close();
            }));

            connection.start();

            awaitMessages(address, 1);
            assertThat(texts).containsExactly("one");
        }
        assertThat(takeTexts(client, address, 1)).containsExactly("two");
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void receiveBody_ofAnotherType_leavesTheMessageForTheNextCall(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            sendTexts(producer, address, "one", "two");

            assertThatThrownBy(() -> consumer.receiveBody(byte[].class, Taking.PATIENCE))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThatThrownBy(() -> consumer.receiveBody(Integer.class, Taking.PATIENCE))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            Message message = consumer.receive(Taking.PATIENCE);

            assertThat(message.getBody(String.class)).isEqualTo("one");
            assertThat(message.getJMSRedelivered()).isFalse();
            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("two");
            awaitMessages(address, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void receiveBody_ofAnotherType_thenClose_leavesTheMessageInTheQueue(Client client) throws Exception {
        String address = address("privacy");
        String other = address("privacy");
        try (Producer producer = new Producer(broker.factory(client))) {
            sendTexts(producer, address, "one");
            sendTexts(producer, other, "two");
            try (JMSContext context = signet(client).createContext();
                    JMSConsumer consumer = context.createConsumer(context.createQueue(address));
                    JMSConsumer otherConsumer = context.createConsumer(context.createQueue(other))) {
                assertThatThrownBy(() -> consumer.receiveBody(byte[].class, Taking.PATIENCE))
                        .isInstanceOf(MessageFormatRuntimeException.class);
                assertThat(otherConsumer.receiveBody(String.class, Taking.PATIENCE))
                        .isEqualTo("two");
            }
        }
        assertThat(takeTexts(client, address, 1)).containsExactly("one");
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void clientAcknowledge_withoutAcknowledging_isDeliveredAgain(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client))) {
            sendTexts(producer, address, "one");
            try (JMSContext context = signet(client).createContext(JMSContext.CLIENT_ACKNOWLEDGE);
                    JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
                assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("one");
                context.recover();
                Message again = consumer.receive(Taking.PATIENCE);
                assertThat(again.getJMSRedelivered()).isTrue();
            }

            assertThat(takeTexts(client, address, 1)).containsExactly("one");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void acknowledge_inAutoAcknowledge_hasNoEffect(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            sendTexts(producer, address, "one");

            Message message = consumer.receive(Taking.PATIENCE);
            message.acknowledge();
            context.acknowledge();

            assertThat(((TextMessage) message).getText()).isEqualTo("one");
            awaitMessages(address, 0);
        }
    }

    private void sendTexts(Producer producer, String address, String... texts) throws Exception {
        for (String text : texts) {
            producer.send(address, keys.sealText(address, text));
        }
    }

    private List<String> takeTexts(Client client, String address, int count) throws Exception {
        List<String> texts = new ArrayList<>();
        try (Taking taking = Way.CONTEXT.open(signet(client), address)) {
            for (int i = 0; i < count; i++) {
                texts.add(taking.take().getBody(String.class));
            }
            awaitMessages(address, 0);
        }
        return texts;
    }

    private static void listen(JMSContext context, String address, Checked listener) {
        context.createConsumer(context.createQueue(address)).setMessageListener(checked(listener));
    }
}
