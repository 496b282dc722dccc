/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Tier;

/** AMQP messages that published brokers write to a file part by part, before they ask a plugin. */
@Tag(Tier.LONG)
final class InPartsIT {
    /** Stands in each text that the producer makes up. */
    private static final String MADE_UP = "Lorem ipsum dolor sit amet";

    private static final String LARGE_FROM = "amqpMinLargeMessageSize=102400";

    private static final int LARGE = 1_000_000; // for AMQP, and for the journal

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("org.signetmq.testkit.Distribution#inParts")
    void federationAskedForByTheOtherBroker_andAnAcceptorThatChangesInARunningBroker_neverWriteInClear(
            Distribution distribution) throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        try (BrokerInstance broker =
                        BrokerInstance.create(distribution, folder.resolve("broker"), "--queues", "orders");
                BrokerInstance other =
                        BrokerInstance.create(distribution, folder.resolve("other"), "--queues", "orders");
                WriteWatch disk = new WriteWatch(broker.folder(), folder.resolve("writes"), MADE_UP)) {
            ConsumedBodies.install(distribution, broker, folder);
            signet.install(broker).ok();
            letFetch(other, broker);
            broker.start(disk.watching());
            other.start();

            produce(other);
            assertConsumesAnEnvelope(broker, "federated");

            long before = acceptorsStarted(broker);
            changeAcceptor(broker);
            await().until(() -> acceptorsStarted(broker) > before);
            produce(broker);
            assertConsumesAnEnvelope(broker, "after-change");
            broker.stop();

            disk.readToTheEnd();
            disk.searchMapped();
            assertThat(disk.bytes()).isGreaterThan(2L * LARGE);
            assertThat(disk.unreadable()).isEmpty();
            assertThat(disk.found()).isEmpty();
        }
    }

    /** Still smaller messages become large; the broker sees the change by itself. */
    private static void changeAcceptor(BrokerInstance broker) throws IOException {
        String xml = Files.readString(broker.brokerXml());
        assertThat(xml).contains(LARGE_FROM);
        Files.writeString(
                broker.brokerXml(),
                xml.replace(LARGE_FROM, "amqpMinLargeMessageSize=50000;stompMinLargeMessageSize=50000"));
    }

    /** How often the broker has said that it started one. */
    private static long acceptorsStarted(BrokerInstance broker) throws IOException {
        return broker.console()
                .lines()
                .filter(line -> line.contains("AMQ221020"))
                .count();
    }

    /** The other broker decides which messages are fetched, and which are large. */
    private static void letFetch(BrokerInstance other, BrokerInstance to) throws IOException {
        String connection = """
                <broker-connections>
                  <amqp-connection uri="%s" name="other" user="%s" password="%s" retry-interval="500">
                    <federation>
                      <remote-queue-policy name="queues">
                        <include address-match="#" queue-match="orders"/>
                      </remote-queue-policy>
                    </federation>
                  </amqp-connection>
                </broker-connections>
                """.formatted(to.url(), BrokerInstance.USER, BrokerInstance.PASSWORD);
        String xml = Files.readString(other.brokerXml());
        assertThat(xml).contains("</core>");
        Files.writeString(other.brokerXml(), xml.replace("</core>", connection + "</core>"));
    }

    private static void produce(BrokerInstance broker) throws IOException {
        broker.artemis(
                        "producer",
                        "--silent",
                        "--protocol",
                        "amqp",
                        "--url",
                        broker.url("amqp"),
                        "--user",
                        BrokerInstance.USER,
                        "--password",
                        BrokerInstance.PASSWORD,
                        "--destination",
                        "queue://orders",
                        "--message-count",
                        "1",
                        "--text-size",
                        Integer.toString(LARGE))
                .ok();
    }

    private void assertConsumesAnEnvelope(BrokerInstance broker, String name) throws IOException {
        ConsumedBodies bodies = new ConsumedBodies(folder.resolve("consumed-" + name));
        broker.artemis(
                        "consumer",
                        "--silent",
                        "--protocol",
                        "core",
                        "--url",
                        broker.url(),
                        "--user",
                        BrokerInstance.USER,
                        "--password",
                        BrokerInstance.PASSWORD,
                        "--destination",
                        "queue://orders",
                        "--message-count",
                        "1",
                        bodies.options()[0],
                        bodies.options()[1],
                        bodies.options()[2],
                        bodies.options()[3])
                .ok();
        assertThat(bodies.read()).hasSize(1).allMatch(body -> body.length > LARGE);
        new OpensslCms(folder).assertAreEncryptedEnvelopes(bodies.read().get(0));
    }
}
