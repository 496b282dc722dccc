/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/**
 * Messages to an address without a policy, beside the same on a broker without the plugin. Consumers and the management
 * see no difference.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UnprotectedFidelityIT {
    private static final int LARGE = LargeBodies.LENGTH;
    private static final List<Integer> LENGTHS = List.of(100, 90 << 10, 600 << 10, LARGE);

    /** Between the longest record of a message that will be sealed, and the longest of another. */
    private static final int NEARLY_A_RECORD = 350 << 10;

    private final ExecutorService beside = Executors.newSingleThreadExecutor();
    private TestBroker plain;
    private TestBroker broker;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        TestHomes homes = new TestHomes(folder);
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        plain = new TestBroker.Setup(homes, folder.resolve("plain")).bare().start();
        broker = new TestBroker.Setup(homes, folder.resolve("data")).start();
    }

    @AfterAll
    void stop() {
        beside.shutdownNow();
        plain.close();
        broker.close();
    }

    private static List<PlainBroker.Consumer> consumers(PlainProducers producer) {
        return switch (producer) {
            case AMQP -> List.of(PlainBroker.Consumer.AMQP);
            case CORE, CORE_COMPRESSING -> List.of(PlainBroker.Consumer.CORE);
            case STOMP -> List.of(PlainBroker.Consumer.STOMP, PlainBroker.Consumer.CORE, PlainBroker.Consumer.AMQP);
            case MQTT_3 -> List.of(PlainBroker.Consumer.MQTT_3, PlainBroker.Consumer.CORE, PlainBroker.Consumer.AMQP);
            case MQTT_5 -> List.of(PlainBroker.Consumer.MQTT_5, PlainBroker.Consumer.CORE, PlainBroker.Consumer.AMQP);
            default -> List.of(PlainBroker.Consumer.CORE, PlainBroker.Consumer.AMQP, PlainBroker.Consumer.OPENWIRE);
        };
    }

    /** Of producers that differ in little from another one those that differ, as their clients take long. */
    private static List<Integer> lengths(PlainProducers producer) {
        return switch (producer) {
            case MQTT_3 -> Tier.isLong() ? List.of(100, LARGE) : List.of(100);
            case AMQP, CORE -> Tier.isLong() ? LENGTHS : List.of(LARGE);
            case CORE_COMPRESSING, JMS_CORE_COMPRESSING, OPENWIRE_COMPRESSING ->
                Tier.isLong() ? List.of(100, 600 << 10, LARGE) : List.of();
            default -> Tier.isLong() ? LENGTHS : List.of(100);
        };
    }

    static Stream<Arguments> producersAndLengths() {
        return Stream.concat(
                Stream.of(PlainProducers.values())
                        .flatMap(producer -> lengths(producer).stream().map(length -> Arguments.of(producer, length))),
                Tier.cases(
                                1,
                                PlainProducers.JMS_AMQP,
                                PlainProducers.AMQP,
                                PlainProducers.STOMP,
                                PlainProducers.OPENWIRE,
                                PlainProducers.MQTT_5)
                        .map(producer -> Arguments.of(producer, NEARLY_A_RECORD)));
    }

    @ParameterizedTest
    @MethodSource("producersAndLengths")
    void messages_areToldAsByABrokerWithoutThePlugin(PlainProducers producer, int length) throws Exception {
        String address = "open." + producer + "." + length;

        Future<List<String>> expected = beside.submit(() -> told(plain, address, producer, length));
        List<String> told = told(broker, address, producer, length);

        Told.assertAlike(told, expected.get());
        assertThat(broker.sealed()).isZero();
        assertThat(broker.rejected()).isZero();
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }

    private static List<String> told(TestBroker broker, String address, PlainProducers producer, int length)
            throws Exception {
        List<PlainBroker.Consumer> consumers = consumers(producer);
        PlainBroker.prepare(broker, address, consumers);
        int count = producer.send(broker, address, length);
        PlainBroker.await(broker, address, count);
        List<String> told = new ArrayList<>(producer.comparable(PlainBroker.managed(broker, address)));
        for (PlainBroker.Consumer consumer : consumers) {
            told.add("to " + consumer);
            told.addAll(consumer.receive(broker, address, count));
        }
        return told;
    }
}
