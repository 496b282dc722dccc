/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/** Spring's classes on top of the wrapped factory, with a broker that seals their messages. */
final class SpringIT extends ProtectingBrokerTest {
    private JmsTemplate template(ConnectionFactory factory) {
        JmsTemplate template = new JmsTemplate(factory);
        template.setReceiveTimeout(Taking.PATIENCE);
        return template;
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void template_receivesWhatItSent(Client client) {
        String address = address("privacy");
        JmsTemplate template = template(signet(client));

        template.convertAndSend(address, "a secret", message -> {
            message.setStringProperty("colour", "blue");
            return message;
        });

        Boolean shown = template.browse(
                address, (session, browser) -> browser.getEnumeration().hasMoreElements());
        assertThat(shown).isTrue();
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        assertThat(template.receiveSelectedAndConvert(address, "colour = 'red'"))
                .isNull();
        template.setReceiveTimeout(Taking.PATIENCE);
        assertThat(template.receiveSelectedAndConvert(address, "colour = 'blue'"))
                .isEqualTo("a secret");
        awaitMessages(address, 0); // AMQP settles without waiting
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void template_withCachedSessions_receivesWhatItSent(Client client) {
        String address = address("privacy");
        CachingConnectionFactory caching = new CachingConnectionFactory(signet(client));
        JmsTemplate template = template(caching);
        template.setSessionTransacted(true);

        for (int i = 0; i < 3; i++) {
            template.convertAndSend(address, "a secret " + i);
        }

        for (int i = 0; i < 3; i++) {
            assertThat(template.receiveAndConvert(address)).isEqualTo("a secret " + i);
        }
        awaitMessages(address, 0);
        caching.destroy();
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void container_withSeveralConsumers_getsEachMessageOnce(Client client) {
        String address = address("privacy");
        Queue<String> texts = new ConcurrentLinkedQueue<>();
        DefaultMessageListenerContainer container = container(client, address, message -> texts.add(text(message)));
        container.setConcurrentConsumers(3);
        List<String> sent = IntStream.range(0, 30).mapToObj(i -> "secret " + i).toList();

        try {
            container.afterPropertiesSet();
            container.start();
            JmsTemplate template = template(new CachingConnectionFactory(signet(client)));
            sent.forEach(text -> template.convertAndSend(address, text));

            Awaitility.await().until(() -> texts.size() >= sent.size() && broker.messages(address) == 0);
            assertThat(texts).containsExactlyInAnyOrderElementsOf(sent);
        } finally {
            container.destroy();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void container_inATransaction_whoseListenerThrows_getsTheMessageAgain(Client client) {
        containerWhoseListenerThrows(client, Session.SESSION_TRANSACTED);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void container_thatAcknowledges_whoseListenerThrows_getsTheMessageAgain(Client client) {
        containerWhoseListenerThrows(client, Session.CLIENT_ACKNOWLEDGE);
    }

    private void containerWhoseListenerThrows(Client client, int mode) {
        String address = address("privacy");
        Queue<String> texts = new ConcurrentLinkedQueue<>();
        DefaultMessageListenerContainer container = container(client, address, message -> {
            texts.add(text(message));
            if (texts.size() == 1) {
                throw new IllegalStateException("the first time");
            }
        });
        container.setSessionTransacted(mode == Session.SESSION_TRANSACTED);
        container.setSessionAcknowledgeMode(mode);

        try {
            container.afterPropertiesSet();
            container.start();
            template(signet(client)).convertAndSend(address, "a secret");

            Awaitility.await().until(() -> texts.size() == 2 && broker.messages(address) == 0);
            assertThat(texts).containsExactly("a secret", "a secret");
        } finally {
            container.destroy();
        }
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void container_goesOnAfterAMessageThatCannotBeOpened(Client client) throws Exception {
        String address = address("privacy");
        Queue<String> texts = new ConcurrentLinkedQueue<>();
        TestBroker careless = plain();
        try (Producer producer = new Producer(careless.factory(client))) {
            DefaultMessageListenerContainer container = container(client, address, message -> texts.add(text(message)));
            container.setConnectionFactory(SignetConnectionFactory.wrap(careless.factory(client), keys.opener()));
            container.setSessionTransacted(true);
            producer.send(address, FailureIT.Flaw.TAMPERED.body(keys, address), keys.sealText(address, "a secret"));
            try {
                container.afterPropertiesSet();
                container.start();

                Awaitility.await().until(() -> texts.size() == 1 && careless.messages(address) == 0);
                assertThat(texts).containsExactly("a secret");
                Awaitility.await().until(() -> careless.messages(TestBroker.DEAD_LETTERS) == 1);
            } finally {
                container.destroy();
            }
        }
    }

    private DefaultMessageListenerContainer container(Client client, String address, MessageListener listener) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(signet(client));
        container.setDestinationName(address);
        container.setMessageListener(listener);
        container.setReceiveTimeout(100);
        container.setBackOff(new FixedBackOff(10, Long.MAX_VALUE));
        return container;
    }
}
