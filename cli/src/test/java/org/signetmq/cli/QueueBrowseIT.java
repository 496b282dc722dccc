/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;

final class QueueBrowseIT {
    @TempDir
    private Path folder;

    @Test
    void userWhoMayOnlyBrowse_seesMessages() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            broker.createQueue("orders.eu");
            send(broker, "orders.eu", session -> session.createTextMessage("apples"));

            Result result = broker.browse(GuardedBroker.BROWSER, "orders.eu");

            assertThat(result.err()).contains("1 messages");
            assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(result.out()).contains("apples");
        }
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
