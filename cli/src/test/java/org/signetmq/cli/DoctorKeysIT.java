/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.testkit.Tier;

/** The command {@code signet doctor keys} at a broker with the plugin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DoctorKeysIT {
    private Path folder;
    private GuardedBroker broker;

    @BeforeAll
    void send(@TempDir Path made) throws Exception {
        folder = made;
        broker = GuardedBroker.protecting(
                folder,
                configuration -> configuration.addAddressSetting(
                        "orders.dead",
                        new AddressSettings()
                                .setDeadLetterAddress(SimpleString.of("DLQ"))
                                .setMaxDeliveryAttempts(1)));
        broker.createQueue("orders.eu");
        broker.createQueue("prices");
        broker.createQueue("orders.probe");
        send("orders.eu", 3);
        send("prices", 1);
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private void send(String queue, int count) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage("4711"));
            }
        }
    }

    private Result keys(String user, String... more) {
        String[] command = new String[4 + more.length];
        System.arraycopy(new String[] {"doctor", "keys", "--broker", broker.url()}, 0, command, 0, 4);
        System.arraycopy(more, 0, command, 4, more.length);
        return broker.as(user, command);
    }

    private String keyId() {
        JsonNode shown =
                Json.parse(new CliRun(folder).run("identity show alice --json").out());
        return shown.path("chain").path(0).path("key-id").textValue();
    }

    @Test
    void text_namesKey_address_numberAndAge() {
        Result result = keys(GuardedBroker.VIEWER);

        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.OK);
        assertThat(result.out().lines().toList())
                .anySatisfy(
                        line -> assertThat(line).matches("looked at 4 messages in \\d+ queues: 1 in clear, 0 not .*"))
                .anySatisfy(line -> assertThat(line)
                        .matches(keyId().substring(0, 16)
                                + "  alice +encrypted for +orders.eu +orders.eu +3 +20\\S+Z +\\d+ (second|minute)s?"))
                .endsWith("complete: the broker looked at each message");
    }

    @Test
    void json_hasTheSame() {
        Result result = keys(GuardedBroker.ADMIN, "--json");

        JsonNode json = result.json();
        assertThat(json.path("complete").booleanValue()).isTrue();
        assertThat(json.path("messages").intValue()).isEqualTo(4);
        assertThat(json.path("clear").intValue()).isOne();
        assertThat(json.path("keys")).hasSize(1);
        JsonNode key = json.path("keys").path(0);
        assertThat(key.path("key").textValue()).isEqualTo("ski:" + keyId());
        assertThat(key.path("role").textValue()).isEqualTo("recipient");
        assertThat(key.path("known").path(0).path("name").textValue()).isEqualTo("alice");
        assertThat(key.path("known").path(0).path("key-id").textValue()).isEqualTo(keyId());
        assertThat(key.path("queues").path(0).path("address").textValue()).isEqualTo("orders.eu");
        assertThat(key.path("queues").path(0).path("messages").intValue()).isEqualTo(3);
    }

    @Test
    void userWithoutTheRole_isRejected() {
        Result result = keys(GuardedBroker.QUEUES);

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("does not have permission", "--viewer-role");
    }

    @Test
    void homeThatDoesNotExist_isAnError() {
        Result result =
                keys(GuardedBroker.VIEWER, "--home", folder.resolve("none").toString());

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("no such folder");
    }

    private String retire(int exitCode, String key, String... more) {
        String[] command = new String[7 + more.length];
        System.arraycopy(
                new String[] {"identity", "retire", "alice", "--key", key, "--broker", broker.url()}, 0, command, 0, 7);
        System.arraycopy(more, 0, command, 7, more.length);
        Result result = broker.as(GuardedBroker.VIEWER, command);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
        return result.out() + result.err();
    }

    @Tag(Tier.LONG)
    @Test
    void keyThatMessagesNeed_isNotRetired_untilTheyAreConsumed_orByForce() throws Exception {
        broker.createQueue("orders.us");
        send("orders.us", 2);
        String first = keyId();
        CliRun cli = new CliRun(folder);
        cli.ok("identity renew alice");
        String second = keyId();
        awaitSealingFor(second);
        send("orders.us", 1);

        assertThat(keys(GuardedBroker.VIEWER).out())
                .containsPattern(
                        first.substring(0, 16) + "  alice \\(former\\) +encrypted for +orders.us +orders.us +2")
                .containsPattern(second.substring(0, 16) + "  alice +encrypted for +orders.us +orders.us +1");
        assertThat(retire(ExitCode.FAILURE, first))
                .contains(
                        "not retired, messages need it",
                        "address orders.us, queue orders.us: 2 messages encrypted for it");
        consume("orders.us");
        consume("orders.eu");
        assertThat(retire(ExitCode.OK, first)).startsWith("alice: former key retired");

        send("orders.us", 1);
        cli.ok("identity renew alice");
        awaitSealingFor(keyId());
        assertThat(retire(ExitCode.OK, second, "--force"))
                .startsWith("alice: former key retired")
                .contains("signet: warning: ", "1 message encrypted for it");
        consume("orders.us");
        send("orders.eu", 3);
    }

    @Test
    void examplesOfTheDocument_printWhatItShows() throws Exception {
        broker.createQueue("orders.dead");
        broker.createQueue("DLQ");
        String former = keyId().substring(0, 16);
        send("orders.dead", 1);
        giveBack("orders.dead");
        new CliRun(folder).ok("identity renew alice");
        awaitSealingFor(keyId());
        consume("orders.eu");
        send("orders.eu", 1);

        for (String example : example("doctor keys --broker").substring(2).split("\n\\$ ", -1)) {
            List<String> lines = example.lines().toList();
            Result result = broker.as(
                    GuardedBroker.VIEWER,
                    lines.get(0)
                            .replace("signet --home alice-home ", "")
                            .replace(" --user anna", "")
                            .replace("tcp://localhost:61616", broker.url())
                            .replaceFirst("--key \\w+", "--key " + former)
                            .split(" "));

            assertThat(shape(result.out() + result.err()))
                    .as(lines.get(0))
                    .containsSubsequence(shape(String.join("\n", lines.subList(1, lines.size()))));
        }
        consume("DLQ");
        assertThat(retire(ExitCode.OK, former)).startsWith("alice: former key retired");
        consume("orders.eu");
        send("orders.eu", 3);
    }

    /** Returns the block of examples with a command. */
    private static String example(String command) throws IOException {
        return Arrays.stream(Files.readString(Path.of("../docs/keys.md")).split("```\\w*\n", -1))
                .filter(block -> block.startsWith("$ ") && block.contains(command))
                .findFirst()
                .orElseThrow();
    }

    /** Returns lines without what differs between two runs: keys, times and numbers of other messages. */
    private static List<String> shape(String text) {
        return text.lines()
                .map(line -> line.replaceAll("tcp://[\\w.:]+", "URL")
                        .replaceAll("\\b[0-9a-f]{16}\\b", "KEY")
                        .replaceAll("20\\S+Z", "TIME")
                        .replaceAll("\\d+ (second|minute|hour|day)s?", "AGE")
                        .replaceAll("looked at .* not looked at", "LOOKED AT")
                        .replaceAll(" +", " "))
                .toList();
    }

    /** Gives a message back, so that it becomes a dead letter. */
    private void giveBack(String queue) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            assertThat(consumer.receive(180_000)).isNotNull();
            session.rollback();
        }
    }

    /** Waits until the plugin has taken the new certificate in. */
    private void awaitSealingFor(String key) throws Exception {
        Awaitility.await().pollInterval(Duration.ofMillis(300)).until(() -> {
            send("orders.probe", 1);
            return keys(GuardedBroker.VIEWER)
                    .out()
                    .lines()
                    .anyMatch(line -> line.startsWith(key.substring(0, 16)) && line.contains("orders.probe"));
        });
        consume("orders.probe");
    }

    private void consume(String queue) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            while (consumer.receive(500) != null) {
                // it is gone
            }
        }
    }
}
