/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;

/** The commands {@code signet quarantine} at a broker with the plugin. */
final class QuarantineCommandsIT {
    private static final int GOOD = 120; // more than two steps

    @TempDir
    private Path folder;

    private GuardedBroker broker;
    private byte[] sealed = {};

    @BeforeEach
    void fill() throws Exception {
        broker = GuardedBroker.protecting(folder);
        broker.createQueue("orders.eu");
        Files.writeString(folder.resolve("order"), "12 apples");
        new CliRun(folder).ok("message seal --address orders.eu --as broker --in order --out order.cms");
        sealed = Files.readAllBytes(folder.resolve("order.cms"));
        send(sealed, "orders.eu", "signer-rejected", GOOD);
        send("12 pears".getBytes(StandardCharsets.UTF_8), "orders.eu", "malformed", 1);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void send(byte[] body, String address, String reason, int count) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue("SIGNET.QUARANTINE"))) {
            for (int i = 0; i < count; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                message.setStringProperty(QuarantineNote.REASON, reason);
                message.setStringProperty(QuarantineNote.ADDRESS, address);
                message.setStringProperty(QuarantineNote.QUEUE, address);
                message.setStringProperty(QuarantineNote.SIGNER, "CN=broker\u001b[31m");
                message.setLongProperty(QuarantineNote.TIME, 1_790_000_000_000L);
                producer.send(message);
            }
            session.commit();
        }
    }

    private Result run(String user, String... command) {
        return broker.as(
                user,
                Stream.of(Stream.of("quarantine"), Stream.of(command), Stream.of("--broker", broker.url()))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
    }

    private String malformed() throws Exception {
        JsonNode answer = new JsonMapper()
                .readTree(run(GuardedBroker.VIEWER, "list", "--reason", "malformed", "--json")
                        .out());
        assertThat(answer.path("messages")).hasSize(1);
        assertThat(answer.path("more").booleanValue()).isFalse();
        assertThat(answer.at("/queues/0/messages").intValue()).isEqualTo(GOOD + 1);
        return answer.at("/messages/0/id").asText();
    }

    @Test
    void messages_areListed_retried_andConsumed() throws Exception {
        Result list = run(GuardedBroker.VIEWER, "list", "--limit", "2");
        assertThat(list.out()).containsPattern("(?m)^ID +TIME +REASON +ADDRESS +QUEUE +SIGNER$");
        assertThat(list.out()).contains("2026-09-21T14:13:20Z  signer-rejected  orders.eu  orders.eu  CN=broker");
        assertThat(list.out()).doesNotContain("\u001b");
        assertThat(list.err()).contains("2 shown of 121 in quarantine");

        Result refused = run(GuardedBroker.VIEWER, "retry", "--all");
        assertThat(refused.exitCode()).isNotEqualTo(ExitCode.OK);
        assertThat(refused.err()).contains("permission='EDIT'");

        Result retried = run(GuardedBroker.ADMIN, "retry", "--all");
        assertThat(retried.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(retried.out()).startsWith("120 retried").contains("message " + malformed0() + " stays: ");
        assertThat(broker.browse(GuardedBroker.ADMIN, "orders.eu", "--limit", "3")
                        .out())
                .contains("12 apples");
    }

    private String malformed0() throws Exception {
        return new JsonMapper()
                .readTree(run(GuardedBroker.VIEWER, "list", "--json").out())
                .at("/messages/0/id")
                .asText();
    }

    @Test
    void message_isShown_exportedAndDiscarded() throws Exception {
        String id = malformed();

        Result shown = run(GuardedBroker.VIEWER, "show", id);
        assertThat(shown.out()).containsPattern("reason +malformed").contains("problem", "property");
        String good = new JsonMapper()
                .readTree(run(GuardedBroker.VIEWER, "list", "--limit", "1", "--json")
                        .out())
                .at("/messages/0/id")
                .asText();
        assertThat(run(GuardedBroker.VIEWER, "show", good).out()).contains("AuthEnvelopedData", "recipient");
        assertThat(run(GuardedBroker.ADMIN, "export", good, "--out", "back.cms").exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(Files.readAllBytes(folder.resolve("back.cms"))).isEqualTo(sealed);
        new CliRun(folder).ok("message inspect --in back.cms");
        assertThat(run(GuardedBroker.ADMIN, "export", "1", "--out", "none.cms").exitCode())
                .isEqualTo(ExitCode.FAILURE);
        assertThat(folder.resolve("none.cms")).doesNotExist();

        Result without = run(GuardedBroker.ADMIN, "discard", "--reason", "malformed");
        assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err()).contains("1 selected", "--yes");
        assertThat(run(GuardedBroker.ADMIN, "discard", "--yes").err()).contains("name messages by their numbers");
        Result discarded = run(GuardedBroker.ADMIN, "discard", id, "--yes", "--json");
        assertThat(new JsonMapper().readTree(discarded.out()).path("done")).hasSize(1);
        assertThat(run(GuardedBroker.VIEWER, "show", id).err()).contains("not in quarantine");
    }

    @Test
    void messageOfAConsumerWithoutTrust_comesBackOnce_whenTheTrustIsMended() throws Exception {
        assertThat(run(GuardedBroker.ADMIN, "discard", "--all", "--yes").exitCode())
                .isEqualTo(ExitCode.OK);
        Home own = homeOfAlice();
        Path trust = own.trust().resolve("broker.pem");
        byte[] certificate = Files.readAllBytes(trust);
        Files.delete(trust);
        BlockingQueue<String> opened = new LinkedBlockingQueue<>();
        try (ActiveMQConnectionFactory artemis =
                        new ActiveMQConnectionFactory(broker.url(), GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Password password = Password.takeOwnershipOf("correct horse".toCharArray());
                SignetConnectionFactory factory = SignetConnectionFactory.open(
                        artemis, own.root(), List.of(own.identityStore().load("alice", password)));
                Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            session.createConsumer(session.createQueue("orders.eu"))
                    .setMessageListener(message -> opened.add(message.toString()));
            connection.start();
            try (Session sending = connection.createSession()) {
                BytesMessage message = sending.createBytesMessage();
                message.writeBytes(sealed);
                sending.createProducer(sending.createQueue("orders.eu")).send(message);
            }
            for (int time = 0; time < 2; time++) { // the second time the same note comes again
                Awaitility.await()
                        .until(() -> run(GuardedBroker.VIEWER, "list").out().contains("signer-rejected"));
                if (time == 1) {
                    Files.write(trust, certificate);
                }
                assertThat(run(GuardedBroker.ADMIN, "retry", "--all").out()).startsWith("1 retried");
            }

            assertThat(opened.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(opened.poll(200, TimeUnit.MILLISECONDS)).isNull();
            assertThat(run(GuardedBroker.VIEWER, "list").err()).contains("0 shown of 0");
        }
    }

    private Home homeOfAlice() throws IOException {
        Path from = folder.resolve("signet-home");
        Path to = folder.resolve("alice-home");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return new Home(to);
    }
}
