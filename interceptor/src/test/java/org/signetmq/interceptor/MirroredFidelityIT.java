/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/**
 * Messages for an address without a policy that a mirror brings. They equal those of a mirror without the plugin, to
 * which the same broker sends them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MirroredFidelityIT {
    private static final List<Integer> LENGTHS =
            Tier.cases(2, 100, 600 << 10, 90 << 10, 3_000_000).toList();
    private static final List<PlainProducers> PRODUCERS =
            List.of(PlainProducers.AMQP, PlainProducers.CORE, PlainProducers.JMS_CORE_COMPRESSING);

    private TestBroker source;
    private TestBroker plain;
    private TestBroker mirror;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        TestHomes homes = new TestHomes(folder);
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        plain = new TestBroker.Setup(homes, folder.resolve("plain")).bare().start();
        mirror = new TestBroker.Setup(homes, folder.resolve("data")).start();
        TestBroker.Setup both = new TestBroker.Setup(homes, folder.resolve("source")).bare();
        for (TestBroker to : List.of(plain, mirror)) {
            both.with(configuration ->
                    configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration("to" + to.port, to.uri())
                            .setRetryInterval(100)
                            .addElement(new AMQPMirrorBrokerConnectionElement().setDurable(true))));
        }
        source = both.start();
    }

    @AfterAll
    void stop() {
        source.close();
        plain.close();
        mirror.close();
    }

    static Stream<Arguments> producersAndLengths() {
        return PRODUCERS.stream().flatMap(producer -> LENGTHS.stream().map(length -> Arguments.of(producer, length)));
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("producersAndLengths")
    void mirroredMessages_areToldAsByAMirrorWithoutThePlugin(PlainProducers producer, int length) throws Exception {
        String address = "open." + producer + "." + length;
        PlainBroker.Consumer consumer =
                producer == PlainProducers.AMQP ? PlainBroker.Consumer.AMQP : PlainBroker.Consumer.CORE;
        PlainBroker.prepare(source, address, List.of(consumer));

        int count = producer.send(source, address, length);

        Told.assertAlike(told(mirror, address, consumer, count), told(plain, address, consumer, count));
        assertThat(mirror.sealed()).isZero();
        assertThat(mirror.rejected()).isZero();
        assertThat(LargeBodies.openMessages(mirror)).isZero();
        assertThat(LargeBodies.heldBytes(mirror)).isZero();
    }

    private static List<String> told(TestBroker broker, String address, PlainBroker.Consumer consumer, int count)
            throws Exception {
        PlainBroker.await(broker, address, count);
        List<String> told = new ArrayList<>(PlainBroker.managed(broker, address));
        told.addAll(consumer.receive(broker, address, count));
        return told;
    }
}
