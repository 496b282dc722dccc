/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;

/**
 * A broker of this version starts with the home and the data of each former one: policies, their mark and history,
 * messages, the quarantine and the memory of replays. {@link CompatibilityFolder} made them, on Artemis 2.44.0.
 */
final class CompatibilityIT {
    private static final long PATIENCE_MILLIS = 180_000;

    @TempDir
    private Path folder;

    static Stream<Arguments> cases() throws IOException {
        List<Path> versions;
        try (Stream<Path> files = Files.list(Path.of("../testkit/compatibility"))) {
            versions = files.sorted().toList();
        }
        return Distribution.tested()
                .flatMap(distribution -> versions.stream().map(version -> Arguments.of(distribution, version)));
    }

    /** A working copy of the sources has no modes. */
    private void copy(Path version, String name) throws IOException {
        Path home = folder.resolve(name);
        try (Stream<Path> files = Files.walk(version.resolve(name))) {
            for (Path file : files.toList()) {
                Path copy = home.resolve(version.resolve(name).relativize(file).toString());
                Files.copy(file, copy);
                Files.setPosixFilePermissions(
                        copy, PosixFilePermissions.fromString(Files.isDirectory(copy) ? "rwx------" : "rw-------"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void brokerWithDataOfAFormerVersion_hasItsPoliciesAndMessages(Distribution distribution, Path version)
            throws Exception {
        copy(version, CompatibilityFolder.BROKER_HOME);
        copy(version, CompatibilityFolder.CONSUMER_HOME);
        Signet signet = new Signet(folder);
        try (BrokerInstance broker = BrokerInstance.create(distribution, folder.resolve("broker"))) {
            Run.of(
                            broker.folder(),
                            List.of(
                                    "tar",
                                    "xzf",
                                    version.resolve("data.tar.gz")
                                            .toAbsolutePath()
                                            .toString()))
                    .ok();
            CompatibilityFolder.install(signet, broker);
            broker.start();

            JsonNode status = json(signet, broker, "broker", "status");
            assertThat(status.at("/plugin/state").asText())
                    .as(status.toString())
                    .isEqualTo("READY");
            assertThat(status.at("/messages/quarantined").asInt()).isEqualTo(2);
            assertThat(status.get("policies")).isEqualTo(kept(version, "store-policies.json"));
            assertThat(json(signet, broker, "policy", "history").get("history"))
                    .isEqualTo(kept(version, "store-history.json").get("history"));
            assertThat(json(signet, broker, "quarantine", "list").findValuesAsText("reason"))
                    .containsExactly("not-a-recipient", "not-a-recipient");
            assertReplayIsRejected(broker);
            try (Password password = Password.takeOwnershipOf(Signet.PASSWORD.toCharArray());
                    SignetConnectionFactory alice = SignetConnectionFactory.open(
                            new ActiveMQConnectionFactory(broker.url()), signet.consumerHome(), "alice", password);
                    JMSContext context = alice.createContext(BrokerInstance.USER, BrokerInstance.PASSWORD)) {
                assertMessagesOpen(context);
            }
        }
    }

    private static JsonNode kept(Path version, String name) throws IOException {
        return new ObjectMapper().readTree(version.resolve(name).toFile());
    }

    private static JsonNode json(Signet signet, BrokerInstance broker, String... command) throws IOException {
        List<String> whole = new ArrayList<>(List.of(command));
        whole.addAll(List.of("--broker", broker.url(), "--user", BrokerInstance.USER, "--json"));
        return new ObjectMapper()
                .readTree(signet.in(CompatibilityFolder.BROKER_HOME, whole.toArray(String[]::new))
                        .ok()
                        .out());
    }

    /** Sends the envelope that lies in the queue once more, as a program that can read it could. */
    private static void assertReplayIsRejected(BrokerInstance broker) throws JMSException {
        try (JMSContext plain = new ActiveMQConnectionFactory(broker.url())
                .createContext(BrokerInstance.USER, BrokerInstance.PASSWORD)) {
            var queue = plain.createQueue("prices");
            Message first =
                    (Message) plain.createBrowser(queue).getEnumeration().nextElement();
            BytesMessage second = plain.createBytesMessage();
            second.writeBytes(first.getBody(byte[].class));

            assertThatThrownBy(() -> plain.createProducer().send(queue, second))
                    .isInstanceOf(JMSRuntimeException.class)
                    .message()
                    .containsAnyOf("took this message before", "longer ago than the replay-window");
        }
    }

    private static void assertMessagesOpen(JMSContext context) throws JMSException {
        List<String> texts = new ArrayList<>();
        List<Object> others = new ArrayList<>();
        for (Message message : received(context, "orders", 5)) {
            if (message instanceof TextMessage text) {
                assertThat(text.getStringProperty("Account")).isEqualTo("DE12");
                texts.add(text.getText());
            } else if (message instanceof MapMessage map) {
                others.add(Map.of(map.getString("name"), map.getLong("number")));
            } else {
                others.add(message.getBody(byte[].class).length);
            }
            assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                    .isEqualTo("CN=broker,O=Example");
        }
        assertThat(texts).containsExactly(CompatibilityFolder.TEXT, CompatibilityFolder.TEXT);
        assertThat(others)
                .containsExactlyInAnyOrder(
                        Map.of(CompatibilityFolder.TEXT, 12L), Map.of(CompatibilityFolder.TEXT, 12L), 5000);
        for (Message message : received(context, "letters", 2)) {
            assertThat(message.getBody(String.class)).isEqualTo(CompatibilityFolder.TEXT);
            assertThat(message.getStringProperty(SignetConnectionFactory.PROOF_PROPERTY))
                    .isEqualTo("agreement");
        }
        for (Message message : received(context, "prices", 1)) {
            assertThat(message.getBody(String.class)).isEqualTo(CompatibilityFolder.TEXT);
        }
    }

    private static List<Message> received(JMSContext context, String queue, int count) {
        List<Message> all = new ArrayList<>();
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < count; i++) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                assertThat(message).as(queue + " " + i).isNotNull();
                all.add(message);
            }
        }
        return all;
    }
}
