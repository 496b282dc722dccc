/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The plugin in brokers as they are published, with the producers and consumers that they bring. */
final class InstallIT {
    private static final String TEXT = "ten pounds of apples, and nobody else needs to know";

    private static final int LARGE = 1_000_000;

    /** Stands in each text that the producer makes up. */
    private static final String MADE_UP = "Lorem ipsum dolor sit amet";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void installedBroker_hidesMessagesOfItsOwnProducers_untilUninstalled(Distribution distribution) throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        try (BrokerInstance broker =
                BrokerInstance.create(distribution, folder.resolve("broker"), BrokerInstance.freePort())) {
            byte[] original = Files.readAllBytes(broker.brokerXml());
            List<Path> files = files(broker.folder());

            signet.install(broker).ok();
            assertThat(signet.install(broker).ok().out()).contains("nothing to do");
            broker.start();
            for (String protocol : List.of("core", "amqp")) {
                produce(broker, protocol, "--message", TEXT);
                produce(broker, protocol, "--text-size", Integer.toString(LARGE));
            }
            openWire(broker, distribution, TEXT);
            openWire(broker, distribution, "x".repeat(LARGE));

            JsonNode status = status(signet, broker);
            assertThat(status.at("/broker/version").asText()).isEqualTo(distribution.version());
            assertThat(status.at("/plugin/state").asText()).isEqualTo("READY");
            assertThat(status.at("/plugin/large-messages").asText()).isEqualTo("PROTECTED");
            assertThat(status.at("/messages/sealed").asInt()).isEqualTo(6);
            assertThat(status.at("/policies/policies/0/pattern").asText()).isEqualTo("orders");
            assertOpened(browse(signet, broker));
            Run consumer = broker.artemis(login("consumer", broker, "core", "--message-count", "6", "--verbose"));
            assertThat(consumer.ok().out()).contains("Consumed: 6 messages").doesNotContain("apples", MADE_UP);
            broker.stop();
            assertThat(signet.in(
                                    "broker-home",
                                    "broker",
                                    "uninstall",
                                    broker.folder().toString())
                            .ok()
                            .out())
                    .contains("etc/broker.xml: edited");

            assertThat(hits(broker.data(), TEXT)).isEmpty();
            assertThat(hits(broker.data(), MADE_UP)).isEmpty();
            assertThat(hits(broker.data(), "x".repeat(200))).isEmpty();
            assertThat(Files.readAllBytes(broker.brokerXml())).isEqualTo(original);
            assertThat(files(broker.folder())).isEqualTo(files);
        }
    }

    private static void produce(BrokerInstance broker, String protocol, String... what) throws IOException {
        broker.artemis(Stream.concat(
                                Stream.of(login("producer", broker, protocol, "--message-count", "1")), Stream.of(what))
                        .toArray(String[]::new))
                .ok();
    }

    private static String[] login(String command, BrokerInstance broker, String protocol, String... more) {
        String url = protocol.equals("amqp") ? broker.url().replace("tcp:", "amqp:") : broker.url();
        return Stream.concat(
                        Stream.of(
                                command,
                                "--silent",
                                "--protocol",
                                protocol,
                                "--url",
                                url,
                                "--user",
                                BrokerInstance.USER,
                                "--password",
                                BrokerInstance.PASSWORD,
                                "--destination",
                                "queue://orders"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** The distribution brings a client for OpenWire, but its producer does not use it. */
    private void openWire(BrokerInstance broker, Distribution distribution, String text) throws IOException {
        Path program = Files.writeString(folder.resolve("Produce.java"), """
                public class Produce {
                    public static void main(String[] a) throws Exception {
                        var factory = new org.apache.activemq.ActiveMQConnectionFactory(a[0] + "?jms.watchTopicAdvisories=false");
                        var connection = factory.createConnection(a[1], a[2]);
                        var session = connection.createSession(false, 1);
                        session.createProducer(session.createQueue("orders"))
                            .send(session.createTextMessage(java.nio.file.Files.readString(java.nio.file.Path.of(a[3]))));
                        connection.close();
                    }
                }
                """);
        Path message = Files.writeString(folder.resolve("message"), text);
        Run.of(
                        folder,
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java")
                                        .toString(),
                                "-cp",
                                distribution.home().toAbsolutePath() + "/lib/*",
                                program.toString(),
                                broker.url(),
                                BrokerInstance.USER,
                                BrokerInstance.PASSWORD,
                                message.toString()))
                .ok();
    }

    private static JsonNode status(Signet signet, BrokerInstance broker) throws IOException {
        return new ObjectMapper()
                .readTree(signet.in("broker-home", "broker", "status", broker.url(), "--user", "admin", "--json")
                        .ok()
                        .out());
    }

    private static JsonNode browse(Signet signet, BrokerInstance broker) throws IOException {
        return new ObjectMapper()
                .readTree(signet.in(
                                "consumer-home",
                                "queue",
                                "browse",
                                "orders",
                                "--broker",
                                broker.url(),
                                "--user",
                                BrokerInstance.USER,
                                "--as",
                                Signet.CONSUMER,
                                "--json")
                        .ok()
                        .out());
    }

    private static void assertOpened(JsonNode answer) {
        assertThat(answer.get("messages")).hasSize(6);
        assertThat(answer.get("messages")).allSatisfy(message -> {
            assertThat(message.get("failure").isNull()).as(message.toString()).isTrue();
            assertThat(message.get("quality").asText()).isEqualTo("privacy");
            assertThat(message.get("signer").asText()).isEqualTo("CN=broker");
            assertThat(message.get("sender").asText()).isEqualTo(BrokerInstance.USER);
            assertThat(message.at("/payload/length").asLong())
                    .isGreaterThanOrEqualTo(message.at("/payload/truncated").asBoolean() ? LARGE : TEXT.length());
        });
        assertThat(answer.findValuesAsText("text")).filteredOn(TEXT::equals).hasSize(3);
    }

    /** Files below a folder that hold the text, as UTF-8 or UTF-16. */
    private static List<Path> hits(Path folder, String text) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile)
                    .filter(file -> holds(file, text))
                    .toList();
        }
    }

    private static boolean holds(Path file, String text) {
        try {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            return Stream.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)
                    .anyMatch(form -> content.contains(new String(text.getBytes(form), StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an administrator has there: not what the broker writes. */
    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> etc = Files.walk(folder.resolve("etc"));
                Stream<Path> lib = Files.walk(folder.resolve("lib"))) {
            return Stream.concat(etc, lib).sorted().toList();
        }
    }
}
