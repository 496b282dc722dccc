/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.jms.JMSContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;

/** The meters of a connection factory. */
final class SignetMetricsIT extends BrokerTest {
    private static final int MESSAGES = 300;

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void openedAndFailedMessages_areCounted(Client client) throws Exception {
        String address = address("privacy");
        SignetConnectionFactory factory = signet(client);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new SignetMetrics(factory, Tags.of("factory", "orders")).bindTo(registry);
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = factory.createContext();
                var consumer = context.createConsumer(context.createQueue(address))) {
            producer.send(address, FailureIT.Flaw.TAMPERED.body(keys, address));
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(address, keys.sealText(address, "a text"));
            }
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("a text");
            }

            Awaitility.await().until(() -> {
                assertThat(consumer.receive(100)).isNull(); // the broker delivers the flawed message again
                return broker.messages(TestBroker.DEAD_LETTERS) == 1;
            });

            assertThat(count(registry, "opened", Tags.empty())).isEqualTo(MESSAGES);
            assertThat(count(registry, "failed", Tags.of("reason", "authentication-failed")))
                    .isEqualTo(TestBroker.ATTEMPTS);
            assertThat(count(registry, "failed", Tags.of("reason", "malformed")))
                    .isZero();
            assertThat(count(registry, "keys.opened", Tags.empty())).isPositive();
            assertThat(registry.get("signet.client.open.time").timer().count()).isLessThan(MESSAGES / 4);
            assertThat(registry.getMeters())
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getTag("factory")).isEqualTo("orders"));
        }
    }

    private static double count(SimpleMeterRegistry registry, String name, Tags tags) {
        FunctionCounter counter =
                registry.get("signet.client." + name).tags(tags).functionCounter();
        return counter.count();
    }
}
