/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** Messages that lay in a queue in clear when its address got a policy. */
@Timeout(180)
final class BacklogIT {
    private static final String POLICY =
            "{\"pattern\": \"orders\", \"quality\": \"confidentiality\", \"recipients\": [\"consumer\"]}";

    @TempDir
    private Path folder;

    private TestBroker start() throws Exception {
        return new TestBroker.Setup(folder)
                .property("policy-store", "broker")
                .with(configuration -> configuration.addQueueConfiguration(
                        QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST)))
                .start();
    }

    /** Seals all messages of a queue, and returns the sums of the answers. */
    private static Map<String, Integer> seal(ControlClient admin, String operation, int most) throws Exception {
        String job = admin.call("beginBacklog", "orders").path("job").textValue();
        Map<String, Integer> sums = new TreeMap<>();
        JsonNode answer;
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        do {
            answer = admin.call(operation, job, most);
            for (String key : List.of("sealed", "sealed-before", "left")) {
                sums.merge(key, answer.path(key).intValue(), Integer::sum);
            }
        } while (answer.path("remaining").intValue() > 0 && System.nanoTime() < patience);
        assertThat(answer.path("remaining").intValue()).isZero();
        return sums;
    }

    private static PolicySet policies(ControlClient admin) throws Exception {
        return PolicyFile.parse(admin.call("listPolicies", 0L, 0).path("text").textValue(), PartyValidator.acceptAll());
    }

    @Test
    void messagesOfAllProtocols_areSealedInTheirOrder() throws Exception {
        try (TestBroker broker = start();
                ControlClient admin = new ControlClient(broker)) {
            List<Producers> producers =
                    List.of(Producers.CORE, Producers.AMQP, Producers.STOMP_TEXT, Producers.OPENWIRE);
            for (Producers producer : producers) {
                producer.send(broker, "orders", "in clear by " + producer);
            }
            admin.call("setPolicy", 0L, POLICY);

            assertThat(seal(admin, "judgeBacklog", 3))
                    .containsEntry("sealed", 4)
                    .containsEntry("left", 0);
            assertThat(broker.state().counts().sealed()).isZero();
            assertThat(seal(admin, "sealBacklog", 3)).containsEntry("sealed", 4).containsEntry("left", 0);
            assertThat(seal(admin, "sealBacklog", 3)).containsEntry("sealed", 0).containsEntry("left", 0);

            assertThat(broker.server().locateQueue("orders").getMessageCount()).isEqualTo(4);
            try (QueueReader reader = new QueueReader(broker)) {
                for (Producers producer : producers) {
                    assertThat(text(broker, reader.nextBody("orders"), policies(admin)))
                            .isEqualTo("in clear by " + producer);
                }
                assertThat(reader.poll("orders")).isNull();
            }
        }
    }

    private static String text(TestBroker broker, byte[] stored, PolicySet policies) {
        return new String(broker.homes.open(stored, "orders", policies).payload(), StandardCharsets.UTF_8);
    }

    @Test
    void sealedMessage_keepsItsPropertiesExpiryAndPriority() throws Exception {
        try (TestBroker broker = start();
                ControlClient admin = new ControlClient(broker)) {
            for (JmsClient client : List.of(JmsClient.CORE, JmsClient.AMQP)) {
                JmsClient.send(client.factory(broker), "orders", (session, producer) -> {
                    Message message = session.createTextMessage("a payload");
                    message.setStringProperty("colour", "red");
                    message.setJMSCorrelationID("correlation");
                    producer.setPriority(7);
                    producer.setTimeToLive(3_600_000);
                    producer.send(message);
                });
            }
            List<Long> expiries = expiries(broker);
            admin.call("setPolicy", 0L, POLICY);

            assertThat(seal(admin, "sealBacklog", 500)).containsEntry("sealed", 2);

            Awaitility.await().untilAsserted(() -> assertThat(expiries(broker)).isEqualTo(expiries));
            assertThat(expiries).hasSize(2).allMatch(expiry -> expiry > 0);
            try (QueueReader reader = new QueueReader(broker)) {
                ClientMessage core = reader.next("orders");
                assertThat(core.getStringProperty("colour")).isEqualTo("red");
                assertThat(core.getPriority()).isEqualTo((byte) 7);
                assertThat(core.getPropertyNames())
                        .noneMatch(name -> name.toString().startsWith("_AMQ_ORIG"));
                ClientMessage amqp = reader.next("orders");
                assertThat(amqp.getStringProperty("colour")).isEqualTo("red");
                assertThat(amqp.getPriority()).isEqualTo((byte) 7);
            }
        }
    }

    private static List<Long> expiries(TestBroker broker) throws Exception {
        List<Long> expiries = new ArrayList<>();
        broker.server().locateQueue("orders").forceDelivery();
        try (var messages = broker.server().locateQueue("orders").browserIterator()) {
            while (messages.hasNext()) {
                expiries.add(messages.next().getMessage().getExpiration());
            }
        }
        return expiries;
    }

    @Test
    void scheduledMessage_isSealed_andComesInTime() throws Exception {
        try (TestBroker broker = start();
                ControlClient admin = new ControlClient(broker)) {
            JmsClient.send(Producers.core(broker), "orders", (session, producer) -> {
                producer.setDeliveryDelay(4_000);
                producer.send(session.createTextMessage("later"));
            });
            admin.call("setPolicy", 0L, POLICY);

            assertThat(seal(admin, "sealBacklog", 500)).containsEntry("sealed", 1);

            assertThat(broker.server().locateQueue("orders").getScheduledCount())
                    .isEqualTo(1);
            try (QueueReader reader = new QueueReader(broker)) {
                assertThat(text(broker, reader.nextBody("orders"), policies(admin)))
                        .isEqualTo("later");
            }
        }
    }

    /** Nothing is lost, and each message that stays is named with its reason. */
    @Test
    void messagesThatCannotBeSealed_stay_andAreListed() throws Exception {
        try (TestBroker broker = start();
                ControlClient admin = new ControlClient(broker)) {
            Producers.CORE.send(broker, "orders", LargeBodies.text(300_000));
            Producers.CORE.send(broker, "orders", "small");
            admin.call("setPolicy", 0L, POLICY);

            String job = admin.call("beginBacklog", "orders").path("job").textValue();
            JsonNode answer = admin.call("sealBacklog", job, 500);

            assertThat(answer.path("sealed").intValue()).isEqualTo(1);
            assertThat(answer.path("left").intValue()).isEqualTo(1);
            assertThat(answer.path("reasons").path(0).path("reason").textValue())
                    .contains("large");
            assertThat(broker.server().locateQueue("orders").getMessageCount()).isEqualTo(2);
            String later = admin.call("beginBacklog", "orders").path("job").textValue();
            assertThat(later).isNotEqualTo(job);
            assertThatThrownBy(() -> admin.call("sealBacklog", job, 500)).hasMessageContaining("no such job");
            assertThatThrownBy(() -> admin.call("beginBacklog", "nowhere")).hasMessageContaining("no such queue");
        }
    }

    @Test
    void policyOfSealedProducers_leavesClearMessages() throws Exception {
        try (TestBroker broker = start();
                ControlClient admin = new ControlClient(broker)) {
            Producers.CORE.send(broker, "orders", "in clear");
            admin.call("setPolicy", 0L, POLICY.replace("}", ", \"where\": \"client\"}"));

            assertThat(seal(admin, "sealBacklog", 500))
                    .containsEntry("sealed", 0)
                    .containsEntry("left", 1);

            assertThat(broker.server().locateQueue("orders").getMessageCount()).isEqualTo(1);
        }
    }

    /** The broker may wait for ever where it moves a message into a page, or deliver a paged message twice. */
    @Test
    void pagedQueue_isRefused_andStaysAsItIs() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .property("policy-store", "broker")
                .with(configuration -> {
                    configuration.addQueueConfiguration(
                            QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST));
                    Objects.requireNonNull(configuration.getAddressSettings().get("#"))
                            .setMaxSizeBytes(50_000)
                            .setPageSizeBytes(20_000);
                });
        try (TestBroker broker = setup.start();
                ControlClient admin = new ControlClient(broker)) {
            sendNumbers(broker.uri(), 300);
            admin.call("setPolicy", 0L, POLICY);

            assertThat(admin.call("beginBacklog", "orders").path("refused").textValue())
                    .contains("pages");

            assertThat(broker.server().locateQueue("orders").getMessageCount()).isEqualTo(300);
        }
    }

    @Test
    void lastValueQueue_isRefused() throws Exception {
        try (TestBroker broker = start();
                ControlClient admin = new ControlClient(broker)) {
            broker.server()
                    .createQueue(QueueConfiguration.of("last")
                            .setRoutingType(RoutingType.ANYCAST)
                            .setLastValue(true));

            assertThat(admin.call("beginBacklog", "last").path("refused").textValue())
                    .contains("last-value");
        }
    }

    private static void sendNumbers(String uri, int count) throws Exception {
        try (var factory = new ActiveMQConnectionFactory(uri);
                var connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                var producer = session.createProducer(session.createQueue("orders"))) {
            for (int i = 0; i < count; i++) {
                Message message = session.createTextMessage("x".repeat(1_000));
                message.setStringProperty("number", String.valueOf(i));
                producer.send(message);
            }
            session.commit();
        }
    }

    /** Takes all messages, requires that each is sealed, and returns their numbers. */
    private static List<String> numbers(TestBroker broker, PolicySet policies) throws Exception {
        List<String> numbers = new ArrayList<>();
        try (var factory = new ActiveMQConnectionFactory(broker.uri());
                var connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var consumer = session.createConsumer(session.createQueue("orders"))) {
            connection.start();
            for (Message message = consumer.receive(5_000); message != null; message = consumer.receive(1_000)) {
                boolean isSealed = message instanceof BytesMessage;
                String number = message.getStringProperty("number");
                numbers.add(isSealed ? number : number + " in clear");
                if (isSealed) {
                    assertThat(text(broker, message.getBody(byte[].class), policies))
                            .isEqualTo("x".repeat(1_000));
                }
            }
        }
        return numbers;
    }

    @Test
    void killedBroker_losesAndDoublesNothing_andASecondJobGoesOn() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int count = 4_000;
        new TestHomes(folder);
        int kills = 0;
        for (boolean done = false; !done; ) {
            try (BrokerProcess broker = BrokerProcess.start(folder, "-Xmx512m", "-Dpolicy-store=broker")) {
                if (kills == 0) {
                    sendNumbers(broker.uri(), count);
                    try (ControlClient admin = new ControlClient(broker.uri(), null)) {
                        admin.call("setPolicy", 0L, POLICY);
                    }
                }
                CompletableFuture<Boolean> sealing = CompletableFuture.supplyAsync(() -> {
                    try (ControlClient admin = new ControlClient(broker.uri() + "?callTimeout=10000", null)) {
                        return seal(admin, "sealBacklog", 20).getOrDefault("sealed", 0) >= 0;
                    } catch (Exception killed) {
                        return false;
                    }
                });
                if (kills < 4) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(100, 900)));
                    broker.kill();
                    kills++;
                }
                done = sealing.get(60, TimeUnit.SECONDS);
            }
        }
        TestBroker.Setup setup = new TestBroker.Setup(TestHomes.existing(folder), folder.resolve("data"))
                .property("policy-store", "broker");
        try (TestBroker broker = setup.start();
                ControlClient admin = new ControlClient(broker)) {
            assertThat(numbers(broker, policies(admin)))
                    .as("seed %d, %d kills", seed, kills)
                    .containsExactlyElementsOf(
                            IntStream.range(0, count).mapToObj(String::valueOf).toList());
        }
    }
}
