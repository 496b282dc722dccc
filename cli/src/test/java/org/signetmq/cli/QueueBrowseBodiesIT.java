/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.RawAmqp;

/** What {@code signet queue browse} shows of each kind of body and property. */
final class QueueBrowseBodiesIT {
    private static final UUID ID = UUID.fromString("00000000-0000-0001-0000-000000000002");

    @TempDir
    static Path folder;

    private static GuardedBroker broker;
    private static int queues;

    @BeforeAll
    static void start() throws Exception {
        broker = GuardedBroker.protecting(folder);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static String queue() throws Exception {
        String queue = "orders.q" + queues++;
        broker.createQueue(queue);
        return queue;
    }

    private JsonNode payload(Section body) throws Exception {
        return message(plain(body)).get("payload");
    }

    private static Message plain(Section body) {
        Message message = Proton.message();
        message.setDurable(true);
        message.setBody(body);
        return message;
    }

    /** The message of a producer that knows nothing of JMS, as it is shown. */
    private JsonNode message(Message message) throws Exception {
        String queue = queue();
        byte[] encoded = new byte[64 << 10];
        int length = message.encode(encoded, 0, encoded.length);
        try (RawAmqp producer = new RawAmqp(broker.port(), GuardedBroker.ADMIN, GuardedBroker.PASSWORD)) {
            producer.send(queue, Arrays.copyOf(encoded, length));
        }
        return browsed(queue);
    }

    private JsonNode browsed(String queue) {
        JsonNode shown =
                broker.browse(GuardedBroker.BROWSER, queue, "--json").json().at("/messages/0");
        assertThat(shown.path("quality").asText()).as("%s", shown).isEqualTo("privacy");
        return shown;
    }

    @Test
    void flatMapOfAmqp_isShownWithItsEntries() throws Exception {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("fruit", "apples");
        map.put("pounds", 10);
        map.put("raw", new Binary(new byte[] {0, 1, 2}));

        JsonNode payload = payload(new AmqpValue(map));

        assertThat(payload.path("kind").asText()).isEqualTo("map");
        assertThat(payload.path("text").asText().lines())
                .containsExactlyInAnyOrder("fruit=apples", "pounds=10", "raw=AAEC");
    }

    @Test
    void mapOfAmqpThatJmsHasNoTypesFor_isShownWithItsEntries() throws Exception {
        Map<String, Object> inner = new LinkedHashMap<>();
        inner.put("raw", new Binary(new byte[] {0, 1, 2}));
        inner.put("unsigned", UnsignedInteger.valueOf(7));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("inner", inner);
        map.put("list", List.of(1, "two"));
        map.put("array", new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")});
        map.put("numbers", new Integer[] {3, 4});
        map.put("id", ID);
        map.put("time", Date.from(Instant.EPOCH));

        JsonNode payload = payload(new AmqpValue(map));

        assertThat(payload.path("kind").asText()).isEqualTo("map");
        assertThat(payload.path("text").asText().lines())
                .containsExactlyInAnyOrder(
                        "inner={raw=AAEC, unsigned=7}",
                        "list=[1, two]",
                        "array=[a, b]",
                        "numbers=[3, 4]",
                        "id=" + ID,
                        "time=1970-01-01T00:00:00Z");
        assertThat(payload.path("length").asInt())
                .isEqualTo(payload.path("text").asText().length());
    }

    @Test
    void listAndSequenceOfAmqp_areShownWithTheirItems() throws Exception {
        for (Section body :
                List.of(new AmqpValue(List.of("apples", 10, ID)), new AmqpSequence(List.of("apples", 10, ID)))) {
            JsonNode payload = payload(body);

            assertThat(payload.path("kind").asText()).isEqualTo("stream");
            assertThat(payload.path("text").asText().lines()).containsExactly("apples", "10", ID.toString());
        }
        assertThat(payload(new AmqpSequence(List.of("apples", 10))).path("text").asText())
                .isEqualTo("apples\n10");
    }

    /** As itself, or with the bytes that it is encoded in: which one is the client library's decision. */
    @Test
    void singleValueOfAmqp_isShown() throws Exception {
        JsonNode payload = payload(new AmqpValue(ID));

        String shown = payload.path("text").isTextual()
                ? payload.path("text").asText()
                : HexFormat.of().formatHex(payload.path("base64").binaryValue());
        assertThat(shown.replace("-", "")).contains(ID.toString().replace("-", ""));
    }

    @Test
    void bytesInPropertiesAndCorrelationIds_areShownAsBase64() throws Exception {
        Message message = plain(new AmqpValue("apples"));
        message.setCorrelationId(new Binary(new byte[] {1, 2, 3}));
        message.setApplicationProperties(
                new ApplicationProperties(Map.of("raw", new Binary(new byte[] {0, 1, 2}), "colour", "red")));

        JsonNode shown = message(message);

        assertThat(shown.at("/payload/text").asText()).isEqualTo("apples");
        assertThat(shown.at("/properties/colour").asText()).isEqualTo("red");
        assertThat(shown.at("/properties/raw").asText()).isEqualTo("AAEC");
        assertThat(shown.path("correlation-id").asText()).isEqualTo("AQID");
        assertThat(shown.path("properties").toString()).doesNotContain("[B@");
    }

    @Test
    void correlationIdOfAnArtemisProducer_isShown_bytesAsBase64() throws Exception {
        String queue = queue();
        send(queue, session -> {
            jakarta.jms.Message message = session.createTextMessage("apples");
            message.setJMSCorrelationIDAsBytes(new byte[] {1, 2, 3});
            return message;
        });
        String other = queue();
        send(other, session -> {
            jakarta.jms.Message message = session.createTextMessage("apples");
            message.setJMSCorrelationID("order 7");
            return message;
        });

        assertThat(browsed(queue).path("correlation-id").asText()).isEqualTo("AQID");
        assertThat(browsed(other).path("correlation-id").asText()).isEqualTo("order 7");
        assertThat(broker.browse(GuardedBroker.BROWSER, queue).out())
                .containsPattern("correlation +AQID\\R")
                .doesNotContain("[B@");
    }

    @Test
    void serializedObjects_areNotRead() throws Exception {
        for (java.io.Serializable object : List.of(BigInteger.TEN, new ArrayList<>(List.of("apples")), new long[4])) {
            String queue = queue();
            send(queue, session -> session.createObjectMessage(object));

            JsonNode shown = browsed(queue);

            assertThat(shown.at("/payload/kind").asText()).isEqualTo("object");
            assertThat(shown.at("/payload/text").isNull()).as("%s", shown).isTrue();
        }
    }

    /** Makes a message. */
    private interface Making {
        jakarta.jms.Message in(Session session) throws Exception;
    }

    private void send(String queue, Making making) throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                Session session = connection.createSession()) {
            session.createProducer(session.createQueue(queue)).send(making.in(session));
        }
    }
}
