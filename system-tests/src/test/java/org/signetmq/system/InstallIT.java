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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** The plugin in brokers as they are published, with the producers and consumers that they bring. */
final class InstallIT {
    private static final String TEXT = "ten pounds of apples, and nobody else needs to know";

    private static final String DESTINATION = "--destination";

    /** On an address without policy. */
    private static final String CONTROL = "three pears, and everybody may know";

    private static final int LARGE = 1_000_000;

    /** Stands in each text that the producer makes up. */
    private static final String MADE_UP = "Lorem ipsum dolor sit amet";

    @TempDir
    private Path folder;

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("org.signetmq.testkit.Distribution#tested")
    void installedBroker_hidesMessagesOfItsOwnProducers_untilUninstalled(Distribution distribution) throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        try (BrokerInstance broker = BrokerInstance.create(distribution, folder.resolve("broker"))) {
            ConsumedBodies.install(distribution, broker, folder);
            byte[] original = Files.readAllBytes(broker.brokerXml());
            List<Path> files = files(broker.folder());

            signet.install(broker).ok();
            assertThat(signet.install(broker).ok().out()).contains("nothing to do");
            broker.start();
            produce(broker, "core", "--message", TEXT);
            giveUp(broker, distribution);
            produce(broker, "core", "--message", TEXT);
            produce(broker, "amqp", "--text-size", Integer.toString(LARGE));
            openWire(broker, distribution, TEXT);
            produce(broker, "core", "--text-size", Integer.toString(LARGE));
            produce(broker, "amqp", "--message", TEXT);
            openWire(broker, distribution, "x".repeat(LARGE));

            JsonNode status = status(signet, broker);
            assertThat(status.at("/broker/version").asText()).isEqualTo(distribution.version());
            assertThat(status.at("/plugin/state").asText()).isEqualTo("READY");
            assertThat(status.at("/plugin/large-messages").asText()).isEqualTo("PROTECTED");
            assertThat(status.at("/messages/sealed").asInt()).isEqualTo(7);
            assertThat(status.at("/policies/policies/0/pattern").asText()).isEqualTo("orders");
            produce(broker, "core", DESTINATION, "queue://open", "--message", CONTROL);
            assertNothingIsInClear(broker);
            assertOpened(json(browse(signet, broker, "orders")));
            assertDeadLetterIsShownToWhoAsks(signet, broker);
            assertConsumerSeesEnvelopes(broker, "core");
            assertConsumerSeesEnvelopes(broker, "amqp");
            assertThat(signet.in(
                                    "broker-home",
                                    "broker",
                                    "uninstall",
                                    broker.folder().toString())
                            .err())
                    .contains("lock/cli.lock: the broker runs");
            broker.stop();
            assertThat(signet.in(
                                    "broker-home",
                                    "broker",
                                    "uninstall",
                                    broker.folder().toString())
                            .ok()
                            .out())
                    .contains("etc/broker.xml: edited");

            assertHidden(broker);
            assertThat(Files.readAllBytes(broker.brokerXml())).isEqualTo(original);
            assertThat(files(broker.folder())).isEqualTo(files);
        }
    }

    /** While all messages are there: the files of large ones go when those are consumed. */
    private static void assertNothingIsInClear(BrokerInstance broker) throws IOException {
        try (Stream<Path> large = Files.list(broker.data().resolve("large-messages"))) {
            assertThat(large).hasSize(3).allMatch(file -> file.toFile().length() > LARGE);
        }
        assertThat(hits(broker.data(), CONTROL))
                .as("the search finds what is there")
                .isNotEmpty();
        assertHidden(broker);
    }

    private static void assertHidden(BrokerInstance broker) throws IOException {
        assertThat(hits(broker.data(), TEXT)).isEmpty();
        assertThat(hits(broker.data(), MADE_UP)).isEmpty();
        assertThat(hits(broker.data(), "x".repeat(200))).isEmpty();
    }

    private static void produce(BrokerInstance broker, String protocol, String... what) throws IOException {
        String[] one = Stream.concat(Stream.of("--message-count", "1"), Stream.of(what))
                .toArray(String[]::new);
        broker.artemis(login("producer", broker, protocol, one)).ok();
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
                                BrokerInstance.PASSWORD),
                        List.of(more).contains(DESTINATION)
                                ? Stream.of(more)
                                : Stream.concat(Stream.of(DESTINATION, "queue://orders"), Stream.of(more)))
                .toArray(String[]::new);
    }

    /** Half of the messages: one of each protocol, small ones and large ones. */
    private void assertConsumerSeesEnvelopes(BrokerInstance broker, String protocol) throws IOException {
        ConsumedBodies bodies = new ConsumedBodies(folder.resolve("consumed-" + protocol));
        String[] options = Stream.concat(Stream.of("--message-count", "3", "--verbose"), Stream.of(bodies.options()))
                .toArray(String[]::new);

        Run consumer = broker.artemis(login("consumer", broker, protocol, options));

        assertThat(consumer.ok().out()).contains("Consumed: 3 messages").doesNotContain("apples", MADE_UP);
        assertThat(bodies.read()).hasSize(3).anyMatch(body -> body.length > LARGE);
        for (byte[] body : bodies.read()) {
            new OpensslCms(folder).assertAreEncryptedEnvelopes(body);
        }
    }

    /** The distribution brings a client for OpenWire, but its producer does not use it. */
    private void openWire(BrokerInstance broker, Distribution distribution, String text) throws IOException {
        Path message = Files.writeString(folder.resolve("message"), text);
        withOpenWire(broker, distribution, """
                session.createProducer(session.createQueue("orders"))
                    .send(session.createTextMessage(java.nio.file.Files.readString(java.nio.file.Path.of(a[3]))));
                session.commit();
                """, message.toString());
    }

    /** Takes a message and gives it back; this client has the broker put it among the dead letters at once. */
    private void giveUp(BrokerInstance broker, Distribution distribution) throws IOException {
        withOpenWire(broker, distribution, """
                connection.start();
                if (session.createConsumer(session.createQueue("orders")).receive(180_000) == null) {
                    throw new AssertionError("no message");
                }
                session.rollback();
                """);
    }

    private void withOpenWire(BrokerInstance broker, Distribution distribution, String work, String... arguments)
            throws IOException {
        Path program = Files.writeString(folder.resolve("Work.java"), """
                public class Work {
                    public static void main(String[] a) throws Exception {
                        var factory = new org.apache.activemq.ActiveMQConnectionFactory(
                            a[0] + "?jms.watchTopicAdvisories=false&jms.redeliveryPolicy.maximumRedeliveries=0");
                        var connection = factory.createConnection(a[1], a[2]);
                        var session = connection.createSession(true, 0);
                        %s
                        connection.close();
                    }
                }
                """.formatted(work));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                distribution.home().toAbsolutePath() + "/lib/*",
                program.toString(),
                broker.url(),
                BrokerInstance.USER,
                BrokerInstance.PASSWORD));
        command.addAll(List.of(arguments));
        Run.of(folder, command).ok();
    }

    private static JsonNode status(Signet signet, BrokerInstance broker) throws IOException {
        return json(signet.in("broker-home", "broker", "status", broker.url(), "--user", "admin", "--json")
                .ok());
    }

    private static Run browse(Signet signet, BrokerInstance broker, String... what) throws IOException {
        List<String> command = new ArrayList<>(List.of("queue", "browse"));
        command.addAll(List.of(what));
        command.addAll(
                List.of("--broker", broker.url(), "--user", BrokerInstance.USER, "--as", Signet.CONSUMER, "--json"));
        return signet.in("consumer-home", command.toArray(String[]::new)).ok();
    }

    private static JsonNode json(Run run) throws IOException {
        return new ObjectMapper().readTree(run.out());
    }

    private static void assertDeadLetterIsShownToWhoAsks(Signet signet, BrokerInstance broker) throws IOException {
        Run closed = browse(signet, broker, "DLQ");
        assertThat(json(closed).at("/messages/0/failure/cause").asText()).isEqualTo("ADDRESS_MISMATCH");
        assertThat(closed.err()).contains("hint: dead letters and expired messages open with --dead-letters");
        JsonNode opened = json(browse(signet, broker, "DLQ", "--dead-letters"));
        assertThat(opened.get("messages")).hasSize(1);
        assertThat(opened.at("/messages/0/payload/text").asText()).isEqualTo(TEXT);
        assertThat(opened.at("/messages/0/sealed-for").asText()).isEqualTo("orders");
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

    /** The administrator's files there, without those that the broker writes. */
    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> etc = Files.walk(folder.resolve("etc"));
                Stream<Path> lib = Files.walk(folder.resolve("lib"))) {
            return Stream.concat(etc, lib).sorted().toList();
        }
    }
}
