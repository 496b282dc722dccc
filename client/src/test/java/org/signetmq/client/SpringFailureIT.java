/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.SimpleMessageListenerContainer;

/** Spring's listener containers, set up as Spring sets them up, go on at once after messages that cannot be opened. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
final class SpringFailureIT extends BrokerTest {
    private static final int BAD = 10;

    /** The kinds of containers, with the wrapped factory and with Spring's cache around it. */
    enum Container {
        DEFAULT(DefaultMessageListenerContainer::new, factory -> factory),
        DEFAULT_WITH_CACHE(DefaultMessageListenerContainer::new, CachingConnectionFactory::new),
        SIMPLE(SimpleMessageListenerContainer::new, factory -> factory);

        private final Supplier<AbstractMessageListenerContainer> made;
        private final UnaryOperator<ConnectionFactory> around;

        Container(Supplier<AbstractMessageListenerContainer> made, UnaryOperator<ConnectionFactory> around) {
            this.made = made;
            this.around = around;
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Container.values())
                .flatMap(container -> Tier.cases(
                                1, Session.SESSION_TRANSACTED, Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE)
                        .flatMap(mode -> Client.oneOrAll().map(client -> Arguments.of(container, mode, client))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void container_afterTenMessagesThatCannotBeOpened_deliversTheNextOne_andIsNotRestarted(
            Container kind, int mode, Client client) throws Exception {
        String address = address("privacy");
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        Map<String, Long> arrivals = new ConcurrentHashMap<>();
        ConnectionFactory factory = kind.around.apply(signet(client));
        AbstractMessageListenerContainer container = kind.made.get();
        container.setConnectionFactory(factory);
        container.setDestinationName(address);
        container.setSessionTransacted(mode == Session.SESSION_TRANSACTED);
        container.setSessionAcknowledgeMode(mode);
        container.setMessageListener(
                (jakarta.jms.MessageListener) message -> arrivals.putIfAbsent(text(message), System.nanoTime()));
        container.setExceptionListener(told::add);
        RecordingLogs.forget();
        try (Producer producer = new Producer(broker.factory(client))) {
            container.afterPropertiesSet();
            container.start();
            producer.send(address, keys.sealText(address, "first"));
            Awaitility.await().until(() -> arrivals.containsKey("first"));

            long sent = System.nanoTime();
            for (int i = 0; i < BAD; i++) {
                producer.send(address, FailureIT.Flaw.TAMPERED.body(keys, address));
            }
            producer.send(address, keys.sealText(address, "last"));

            Awaitility.await().until(() -> arrivals.containsKey("last"));
            Tier.report(
                    "message after ten that cannot be opened, " + kind + " of Spring, " + client,
                    Duration.ofNanos(arrivals.getOrDefault("last", Long.MAX_VALUE) - sent),
                    Duration.ofSeconds(1));
            awaitMessages(address, 0);
            awaitMessages(TestBroker.DEAD_LETTERS, BAD);
            assertThat(told).isEmpty();
            assertThat(container.isRunning()).isTrue();
            List<String> lines = RecordingLogs.troubleOf(address);
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("ERROR"))
                    .singleElement()
                    .asString()
                    .contains("the last 10 attempts", "authentication-failed");
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("WARN"))
                    .hasSize(BAD * TestBroker.ATTEMPTS)
                    .allSatisfy(line -> assertThat(line).contains("AUTHENTICATION_FAILED"));
        } finally {
            container.destroy();
        }
    }
}
