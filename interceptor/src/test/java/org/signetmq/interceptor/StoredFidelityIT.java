/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/**
 * Messages on addresses without a policy, stored and paged by a broker with the plugin. After a restart they equal
 * those of a broker without it, with the plugin still there or removed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StoredFidelityIT {
    private static final Map<String, List<Integer>> LENGTHS =
            new TreeMap<>(Map.of("open", List.of(100, 350 << 10), "paged", List.of(100, 600 << 10)));
    /** MQTT first: its will is stored when no consumer waits for it any more. */
    private static final List<PlainProducers> PRODUCERS = List.of(
            PlainProducers.MQTT_5,
            PlainProducers.CORE,
            PlainProducers.JMS_CORE_COMPRESSING,
            PlainProducers.JMS_AMQP,
            PlainProducers.AMQP,
            PlainProducers.STOMP,
            PlainProducers.OPENWIRE);

    private TestHomes homes;
    private Path folder;
    private List<String> expected;

    /** The state after the restart. */
    enum Restart {
        WITH_THE_PLUGIN,
        WITHOUT_THE_PLUGIN
    }

    private TestBroker.Setup setup(String data) {
        return new TestBroker.Setup(homes, folder.resolve(data)).with(StoredFidelityIT::configure);
    }

    private static void configure(Configuration configuration) {
        configuration.addAddressSetting(
                "paged.#",
                new AddressSettings()
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                        .setMaxSizeBytes(1_000)
                        .setPageSizeBytes(1 << 20));
    }

    @BeforeAll
    void store(@TempDir Path folder) throws Exception {
        this.folder = folder;
        homes = new TestHomes(folder);
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (TestBroker plain = setup("plain").bare().start();
                TestBroker broker = setup("data").start()) {
            Future<?> sent = beside.submit(() -> sendAll(plain));
            sendAll(broker);
            sent.get();
            assertThat(broker.sealed()).isZero();
        } finally {
            beside.shutdownNow();
        }
        copy(folder.resolve("data"), folder.resolve(Restart.WITHOUT_THE_PLUGIN.name()));
        Files.move(folder.resolve("data"), folder.resolve(Restart.WITH_THE_PLUGIN.name()));
        try (TestBroker plain = setup("plain").bare().start()) {
            expected = told(plain);
        }
    }

    @AfterAll
    void forget() {
        expected = List.of();
    }

    /** Messages of a producer and a length on an address. */
    private record Sending(PlainProducers producer, int length, String address) {
        static List<Sending> all() {
            List<Sending> all = new ArrayList<>();
            LENGTHS.forEach((kind, lengths) -> lengths.forEach(length -> PRODUCERS.forEach(
                    producer -> all.add(new Sending(producer, length, kind + "." + producer + "." + length)))));
            return all;
        }
    }

    private static Void sendAll(TestBroker broker) throws Exception {
        for (Sending sending : Sending.all()) {
            String address = sending.address();
            PlainBroker.prepare(broker, address, List.of(consumer(sending.producer())));
            PlainBroker.await(broker, address, sending.producer().send(broker, address, sending.length()));
        }
        assertThat(broker.server()
                        .getPagingManager()
                        .getPageStore(SimpleString.of("paged." + PlainProducers.AMQP + ".100"))
                        .isPaging())
                .isTrue();
        return null;
    }

    private static PlainBroker.Consumer consumer(PlainProducers producer) {
        return switch (producer) {
            case AMQP, JMS_AMQP -> PlainBroker.Consumer.AMQP;
            case OPENWIRE -> PlainBroker.Consumer.OPENWIRE;
            default -> PlainBroker.Consumer.CORE;
        };
    }

    private static List<String> told(TestBroker broker) throws Exception {
        List<String> told = new ArrayList<>();
        for (Sending sending : Sending.all()) {
            String address = sending.address();
            long count = PlainBroker.waiting(broker, address);
            told.add(address + " has " + count);
            told.addAll(sending.producer().comparable(PlainBroker.managed(broker, address)));
            told.addAll(consumer(sending.producer()).receive(broker, address, count));
        }
        return told;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    static Stream<Restart> restarts() {
        return Tier.cases(1, Restart.values());
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("restarts")
    void storedMessages_afterARestart_areToldAsThoseOfABrokerWithoutThePlugin(Restart restart) throws Exception {
        TestBroker.Setup setup = setup(restart.name());
        if (restart == Restart.WITHOUT_THE_PLUGIN) {
            setup.bare();
        }
        try (TestBroker broker = setup.start()) {
            Told.assertAlike(told(broker), expected);
        }
    }
}
