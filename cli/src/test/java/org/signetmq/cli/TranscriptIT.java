/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.Tier;

/** Commands that need a broker or the plugin's jar print, to the letter, what their transcripts show. */
final class TranscriptIT {
    @TempDir
    private Path folder;

    @Test
    void installation_printsWhatWasRecorded() throws Exception {
        Files.createDirectories(folder.resolve("artemis/etc"));
        Files.createDirectories(folder.resolve("artemis/lib"));
        Files.createDirectories(folder.resolve("artemis/bin"));
        Files.createFile(folder.resolve("artemis/bin/artemis"));

        assertThat(new Transcript(folder).repeated("install")).isEqualTo(Transcript.recorded("install"));
    }

    @Tag(Tier.LONG)
    @Test
    void statusAndMessages_printWhatWasRecorded() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            broker.createQueue("orders.eu");
            broker.createQueue("plain");
            send(broker, "orders.eu");
            send(broker, "plain");

            assertThat(new Transcript(folder).with(broker.url(), "URL").repeated("broker"))
                    .isEqualTo(Transcript.recorded("broker"));
        }
    }

    private static void send(GuardedBroker broker, String name) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession()) {
            Queue queue = session.createQueue(name);
            MessageProducer producer = session.createProducer(queue);
            Message text = session.createTextMessage("apples\nand \u001b pears");
            text.setStringProperty("region", "eu");
            text.setIntProperty("amount", 3);
            text.setDoubleProperty("price", 1.5);
            text.setBooleanProperty("paid", true);
            text.setJMSCorrelationID("c-1");
            producer.send(text);
            BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes(new byte[] {0, 1, 2, (byte) 0xff});
            producer.send(bytes);
            BytesMessage readable = session.createBytesMessage();
            readable.writeBytes("plums, many plums".getBytes(StandardCharsets.UTF_8));
            producer.send(readable);
            MapMessage map = session.createMapMessage();
            map.setString("fruit", "cherries");
            producer.send(map);
            StreamMessage stream = session.createStreamMessage();
            stream.writeInt(7);
            stream.writeString("seven");
            producer.send(stream);
            producer.send(session.createMessage());
        }
    }
}
