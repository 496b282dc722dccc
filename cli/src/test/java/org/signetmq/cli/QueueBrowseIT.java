/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Tier;

final class QueueBrowseIT {
    private static final int LARGE = 9_500_000;

    @TempDir
    private Path folder;

    @Test
    void userWhoMayOnlyBrowse_seesMessages() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            broker.createQueue("orders.eu");
            send(broker, "orders.eu", session -> session.createTextMessage("apples"));

            Result result = broker.browse(GuardedBroker.BROWSER, "orders.eu");

            assertThat(result.err()).contains("1 message\n");
            assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(result.out()).contains("apples");
        }
    }

    @Test
    void brokerThatDiesMeanwhile_isNotTakenForTheEnd() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            broker.createQueue("orders.eu");
            for (int i = 0; i < 3; i++) {
                send(broker, "orders.eu", session -> session.createTextMessage("apples"));
            }
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            OutputStream out = new ByteArrayOutputStream() {
                @Override
                public synchronized void write(byte[] bytes, int offset, int length) {
                    if (new String(bytes, offset, length, StandardCharsets.UTF_8).startsWith("message 1")) {
                        broker.stop();
                    }
                    super.write(bytes, offset, length);
                }
            };

            int exitCode = Main.run(
                    new Shell(
                            new Shell.Streams(
                                    InputStream.nullInputStream(),
                                    out,
                                    new PrintStream(err, true, StandardCharsets.UTF_8),
                                    null),
                            Map.of(
                                    "SIGNET_PASSWORD",
                                    "correct horse",
                                    "SIGNET_BROKER_PASSWORD",
                                    GuardedBroker.PASSWORD),
                            folder,
                            Clock.systemUTC()),
                    "queue",
                    "browse",
                    "orders.eu",
                    "--broker",
                    broker.url(),
                    "--user",
                    GuardedBroker.ADMIN,
                    "--as",
                    "alice");

            assertThat(err.toString(StandardCharsets.UTF_8))
                    .contains("connection lost")
                    .doesNotContain("1 messages");
            assertThat(exitCode).isEqualTo(ExitCode.BROKER);
        }
    }

    @Test
    void retainedMessage_opensForItsTopic() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder);
                MqttClient client = Mqtt3.connect(
                        broker.url(), "retaining", Mqtt3.user(GuardedBroker.ADMIN, GuardedBroker.PASSWORD))) {
            client.publish("orders/eu", "apples".getBytes(StandardCharsets.UTF_8), 1, true);
            client.disconnect();

            Result result = broker.browse(GuardedBroker.ADMIN, "$sys.mqtt.retain.orders.eu");

            assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(result.out()).contains("apples");
            assertThat(result.err()).doesNotContain("hint");
        }
    }

    @Test
    void veryLargeMessage_isShownInPartWithItsLength() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            broker.createQueue("orders.eu");
            send(broker, "orders.eu", session -> bytes(session, new byte[LARGE]));

            JsonNode answer =
                    broker.browse(GuardedBroker.BROWSER, "orders.eu", "--json").json();

            assertThat(answer.at("/messages/0/quality").asText()).isEqualTo("privacy");
            assertThat(answer.at("/messages/0/payload/length").asLong()).isEqualTo(LARGE);
            assertThat(answer.at("/messages/0/payload/truncated").asBoolean()).isTrue();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void veryLargeMessageThatIsWrongAtItsEnd_isShownAsSuch_andTheNextAsWell() throws Exception {
        CliRun signet = new CliRun(folder);
        signet.ok("identity create alice --dn CN=alice");
        signet.ok("policy set plain --quality privacy --recipient alice");
        String[] seal = {"message", "seal", "--address", "plain", "--as", "alice"};
        byte[] damaged = signet.input(new byte[LARGE]).ok(seal).bytes();
        damaged[damaged.length - 50] ^= 1;
        byte[] sound =
                signet.input("apples".getBytes(StandardCharsets.UTF_8)).ok(seal).bytes();
        try (GuardedBroker broker = GuardedBroker.withoutPlugin(folder, configuration -> {})) {
            broker.createQueue("plain");
            send(broker, "plain", session -> bytes(session, damaged));
            send(broker, "plain", session -> bytes(session, sound));

            JsonNode answer =
                    broker.browse(GuardedBroker.BROWSER, "plain", "--json").json();

            assertThat(answer.at("/messages/0/id").asText()).startsWith("ID:");
            assertThat(answer.at("/messages/0/payload").isNull()).isTrue();
            assertThat(answer.at("/messages/0/failure/cause").asText()).isEqualTo("AUTHENTICATION_FAILED");
            assertThat(answer.at("/messages/1/payload/text").asText()).isEqualTo("apples");
            assertThat(answer.get("more").asBoolean()).isFalse();
        }
    }

    private static Message bytes(Session session, byte[] body) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        return message;
    }

    /** Makes a message. */
    private interface Making {
        Message in(Session session) throws Exception;
    }

    private static void send(GuardedBroker broker, String queue, Making making) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession()) {
            session.createProducer(session.createQueue(queue)).send(making.in(session));
        }
    }
}
