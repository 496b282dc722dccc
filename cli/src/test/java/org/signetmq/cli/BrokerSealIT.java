/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

/** The command {@code signet broker seal} at a broker with the plugin. */
final class BrokerSealIT {
    private static final int MESSAGES = 450; // more than two steps

    @TempDir
    private Path folder;

    private GuardedBroker broker;

    @BeforeEach
    void sendInClear() throws Exception {
        broker = GuardedBroker.keepingPolicies(folder);
        broker.createQueue("prices");
        send("a price", MESSAGES);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void send(String text, int count) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue("prices"))) {
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage(text));
            }
            session.commit();
        }
    }

    private void protect() {
        Result set = broker.as(
                GuardedBroker.ADMIN,
                "policy",
                "set",
                "prices",
                "--quality",
                "confidentiality",
                "--recipient",
                "alice",
                "--broker",
                broker.url());
        assertThat(set.exitCode()).as(set.err()).isEqualTo(ExitCode.OK);
    }

    private Result seal(String user, String... more) {
        String[] command = new String[5 + more.length];
        System.arraycopy(new String[] {"broker", "seal", "prices", "--broker", broker.url()}, 0, command, 0, 5);
        System.arraycopy(more, 0, command, 5, more.length);
        return broker.as(user, command);
    }

    @Test
    void backlog_isCounted_sealed_andSealedNoSecondTime() {
        protect();

        assertThat(seal(GuardedBroker.ADMIN, "--dry-run").out())
                .startsWith("prices: 450 would be sealed, 0 sealed before");
        assertThat(seal(GuardedBroker.ADMIN).out())
                .startsWith("prices: 450 sealed, 0 sealed before, 0 left in clear, 0 ");
        Result again = seal(GuardedBroker.ADMIN);

        assertThat(again.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(again.out()).startsWith("prices: 0 sealed, ");
    }

    @Test
    void largeMessages_areSealed() throws Exception {
        send("x".repeat(300_000), 2);
        protect();

        Result result = seal(GuardedBroker.ADMIN);

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out()).startsWith("prices: 452 sealed, ");
    }

    /** An envelope for another address is no message in clear, and no consumer could open it in a second envelope. */
    @Test
    void messagesThatStay_areListed_andExitIs1() throws Exception {
        Path clear = Files.writeString(folder.resolve("clear"), "a price");
        Path sealed = folder.resolve("sealed");
        CliRun signet = new CliRun(folder);
        signet.ok("message seal --address orders.eu --as broker --in", clear.toString(), "--out", sealed.toString());
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("prices"))) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(Files.readAllBytes(sealed));
            producer.send(message);
        }
        Result set = broker.as(
                GuardedBroker.ADMIN, "policy", "set", "prices", "--quality", "integrity", "--broker", broker.url());
        assertThat(set.exitCode()).as(set.err()).isEqualTo(ExitCode.OK);

        Result result = seal(GuardedBroker.ADMIN, "--json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        JsonNode queue = result.json().path("queues").path(0);
        assertThat(queue.path("sealed").intValue()).isEqualTo(MESSAGES);
        assertThat(queue.path("left").intValue()).isEqualTo(1);
        assertThat(queue.path("hidden").booleanValue()).isFalse();
        assertThat(queue.path("reasons").path(0).textValue()).contains("the form of an envelope");
    }

    @Test
    void viewer_isRejected() {
        protect();

        Result result = seal(GuardedBroker.VIEWER);

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("does not have permission", "--admin-role");
    }

    @Test
    void addressWithoutAQueue_isAFailure() {
        Result result = broker.as(GuardedBroker.ADMIN, "broker", "seal", "nowhere", "--broker", broker.url());

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("no queue has the address 'nowhere'");
    }
}
