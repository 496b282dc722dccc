/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.springboot.TestApplication.Listeners;
import org.signetmq.springboot.TestApplication.Received;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with the starter and Spring Boot's own defaults, on a broker with the plugin. */
final class ApplicationIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static TestBroker broker;
    private static ConfigurableApplicationContext context;
    private static JmsTemplate template;
    private static Listeners listeners;

    @BeforeAll
    static void start() throws Exception {
        broker = TestBroker.shared();
        context = new SpringApplicationBuilder(TestApplication.class)
                .properties(broker.properties())
                .run();
        template = context.getBean(JmsTemplate.class);
        listeners = context.getBean(Listeners.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void clear() throws Exception {
        broker.purge(TestBroker.DEAD_LETTERS);
    }

    @Test
    void listenersOfAConcurrentContainer_getEachMessageOnce_opened() {
        List<String> sent = IntStream.range(0, 30).mapToObj(i -> "order " + i).toList();

        sent.forEach(text -> template.convertAndSend("orders.many", text));

        await().until(() -> listeners.of("orders.many").size() >= sent.size() && broker.messages("orders.many") == 0);
        assertThat(listeners.of("orders.many"))
                .allMatch(one -> "privacy".equals(one.quality()) && Homes.BROKER.equals(one.signer()))
                .extracting(Received::text)
                .containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void listenerInATransaction_thatFailsOnce_getsTheMessageAgain_andSendsOnce() {
        template.convertAndSend("orders.retried", "apples");

        await().until(() -> listeners.of("orders.retried").size() == 2 && broker.messages("orders.retried") == 0);
        assertThat(listeners.of("orders.retried")).extracting(Received::attempt).containsExactly(1, 2);
        assertThat(template.receiveAndConvert("orders.done")).isEqualTo("done with apples");
        assertThat(broker.messages("orders.done")).isZero();
    }

    @Test
    void listenerThatAlwaysFails_makesADeadLetter_whichTheTemplateOpens() throws Exception {
        template.convertAndSend("orders.failing", "pears");

        Message dead = Objects.requireNonNull(template.receive(TestBroker.DEAD_LETTERS));

        assertThat(listeners.of("orders.failing")).hasSize(TestBroker.ATTEMPTS);
        assertThat(dead.getBody(String.class)).isEqualTo("pears");
        assertThat(dead.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY))
                .isEqualTo("orders.failing");
    }

    @Test
    void messageThatCannotBeOpened_becomesADeadLetter_andTheListenerGetsTheNextOne() throws Exception {
        template.convertAndSend(Homes.PARKED, "poison");
        broker.move(Homes.PARKED, "orders.poisoned");
        template.convertAndSend("orders.poisoned", "after the poison");

        await().until(() -> broker.messages(TestBroker.DEAD_LETTERS) == 1
                && !listeners.of("orders.poisoned").isEmpty());
        assertThat(listeners.of("orders.poisoned")).extracting(Received::text).containsExactly("after the poison");
        await().until(() -> broker.messages("orders.poisoned") == 0);
    }

    @Test
    void request_getsItsReplyOnATemporaryQueue() throws Exception {
        Message reply = Objects.requireNonNull(
                template.sendAndReceive("orders.requests", session -> session.createTextMessage("how many?")));

        assertThat(reply.getBody(String.class)).isEqualTo("answer to how many?");
        assertThat(listeners.of("orders.requests"))
                .extracting(Received::quality)
                .containsExactly("privacy");
    }

    @Test
    void templateInATransaction_sendsAllOrNothing() {
        TransactionTemplate transactions = new TransactionTemplate(
                new JmsTransactionManager(context.getBean(jakarta.jms.ConnectionFactory.class)));
        transactions.executeWithoutResult(status -> {
            template.convertAndSend("orders.atomic", "given up");
            status.setRollbackOnly();
        });
        transactions.executeWithoutResult(status -> {
            template.convertAndSend("orders.atomic", "kept 1");
            template.convertAndSend("orders.atomic", "kept 2");
        });

        await().until(() -> broker.messages("orders.atomic") == 2);
        assertThat(template.receiveAndConvert("orders.atomic")).isEqualTo("kept 1");
        assertThat(template.receiveAndConvert("orders.atomic")).isEqualTo("kept 2");
    }

    @Test
    void template_whereThePolicySaysClient_sealsItself() throws Exception {
        template.convertAndSend("sealed.orders", "for alice");
        template.convertAndSend("sealed.kept", "a secret");

        await().until(() -> !listeners.of("sealed.orders").isEmpty());
        assertThat(listeners.of("sealed.orders"))
                .containsExactly(new Received("sealed.orders", "for alice", "privacy", Homes.ALICE, 1));
        try (ActiveMQConnectionFactory plain = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port());
                JMSContext unwrapped = plain.createContext();
                JMSConsumer consumer = unwrapped.createConsumer(unwrapped.createQueue("sealed.kept"))) {
            Message envelope = consumer.receive(PATIENCE.toMillis());
            assertThat(envelope).isInstanceOf(BytesMessage.class);
            assertThat(new String(envelope.getBody(byte[].class), StandardCharsets.ISO_8859_1))
                    .doesNotContain("a secret");
        }
    }
}
