/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** Messages that lay in a queue in clear when its address got a policy. */
final class BacklogIT extends OneBroker {
    private static final String POLICY =
            "{\"pattern\": \"orders\", \"quality\": \"confidentiality\", \"recipients\": [\"consumer\"]}";

    @BeforeEach
    void keepPoliciesInTheBroker() {
        setup.property("policy-store", "broker").queues(List.of("orders"));
    }

    /** Seals all messages of a queue, and returns the sums of the answers. */
    private static Map<String, Integer> seal(ControlClient admin, String operation, int most) throws Exception {
        return seal(admin, admin.call("beginBacklog", "orders"), operation, most);
    }

    private static Map<String, Integer> seal(ControlClient admin, JsonNode begun, String operation, int most)
            throws Exception {
        String job = begun.path("job").textValue();
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
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        List<Producers> producers = List.of(Producers.CORE, Producers.AMQP, Producers.STOMP_TEXT, Producers.OPENWIRE);
        for (Producers producer : producers) {
            producer.send(broker, "orders", "in clear by " + producer);
        }
        admin.call("setPolicy", 0L, POLICY);

        assertThat(seal(admin, "judgeBacklog", 3)).containsEntry("sealed", 4).containsEntry("left", 0);
        assertThat(broker.sealed()).isZero();
        assertThat(AuditLines.of("queue-sealed")).isEmpty();
        assertThat(seal(admin, "sealBacklog", 3)).containsEntry("sealed", 4).containsEntry("left", 0);
        assertThat(AuditLines.of("queue-sealed"))
                .extracting(line -> line.path("queue").textValue(), line -> line.path("sealed"))
                .containsExactly(tuple("orders", MissingNode.getInstance()), tuple("orders", IntNode.valueOf(4)));
        assertThat(AuditLines.of("queue-sealed").get(0).path("from").textValue())
                .isNotEmpty();
        assertThat(seal(admin, "sealBacklog", 3)).containsEntry("sealed", 0).containsEntry("left", 0);

        assertCount(broker, 4);
        for (Producers producer : producers) {
            assertThat(homes.text(broker.nextBody("orders"), "orders", policies(admin)))
                    .isEqualTo("in clear by " + producer);
        }
        assertThat(broker.poll("orders")).isNull();
    }

    private static String text(TestBroker broker, byte[] stored, PolicySet policies) {
        return broker.homes.text(stored, "orders", policies);
    }

    @Test
    void sealedMessage_keepsItsPropertiesExpiryAndPriority() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
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
        ClientMessage core = broker.next("orders");
        assertThat(core.getStringProperty("colour")).isEqualTo("red");
        assertThat(core.getPriority()).isEqualTo((byte) 7);
        assertThat(core.getPropertyNames()).noneMatch(name -> name.toString().startsWith("_AMQ_ORIG"));
        ClientMessage amqp = broker.next("orders");
        assertThat(amqp.getStringProperty("colour")).isEqualTo("red");
        assertThat(amqp.getPriority()).isEqualTo((byte) 7);
    }

    private static List<Long> expiries(TestBroker broker) throws Exception {
        List<Long> expiries = new ArrayList<>();
        broker.queue("orders").forceDelivery();
        try (var messages = broker.queue("orders").browserIterator()) {
            while (messages.hasNext()) {
                expiries.add(messages.next().getMessage().getExpiration());
            }
        }
        return expiries;
    }

    @Tag(Tier.LONG)
    @Test
    void scheduledMessage_isSealed_andComesInTime() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        JmsClient.send(Producers.core(broker), "orders", (session, producer) -> {
            producer.setDeliveryDelay(4_000);
            producer.send(session.createTextMessage("later"));
        });
        admin.call("setPolicy", 0L, POLICY);

        assertThat(seal(admin, "sealBacklog", 500)).containsEntry("sealed", 1);

        assertThat(broker.queue("orders").getScheduledCount()).isEqualTo(1);
        assertThat(homes.text(broker.nextBody("orders"), "orders", policies(admin)))
                .isEqualTo("later");
    }

    /** Nothing is lost, and each message that stays is named with its reason. */
    @Test
    void messagesThatCannotBeSealed_stay_andAreListed() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        byte[] sealed =
                LargeBodies.sealed(broker.homes, LargeBodies.policies(QualityOfProtection.CONFIDENTIALITY), "a");
        JmsClient.send(Producers.core(broker), "orders", (session, producer) -> {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(sealed);
            producer.send(message);
            producer.send(session.createTextMessage("small"));
        });
        admin.call("setPolicy", 0L, "{\"pattern\": \"orders\", \"quality\": \"integrity\"}");

        String job = admin.call("beginBacklog", "orders").path("job").textValue();
        JsonNode answer = admin.call("sealBacklog", job, 500);

        assertThat(answer.path("sealed").intValue()).isEqualTo(1);
        assertThat(answer.path("left").intValue()).isEqualTo(1);
        assertThat(answer.path("reasons").path(0).path("reason").textValue()).contains("the form of an envelope");
        assertCount(broker, 2);
        String later = admin.call("beginBacklog", "orders").path("job").textValue();
        assertThat(later).isNotEqualTo(job);
        assertThatThrownBy(() -> admin.call("sealBacklog", job, 500)).hasMessageContaining("no such job");
        assertThatThrownBy(() -> admin.call("beginBacklog", "nowhere")).hasMessageContaining("no such queue");
    }

    /** Long bodies of both kinds, and a kill while they are sealed: each is there once, sealed, with one file. */
    @Tag(Tier.LONG)
    @Test
    void largeMessages_areSealed_alsoAfterAKill() throws Exception {
        byte[] body = LargeBodies.text(20_000_000).getBytes(StandardCharsets.UTF_8);
        try (BrokerProcess broker = BrokerProcess.shortLived(folder, "-Xmx512m", "-Dpolicy-store=broker");
                ActiveMQConnectionFactory core = new ActiveMQConnectionFactory(broker.uri());
                ControlClient admin = new ControlClient(broker.uri() + "?callTimeout=180000", null)) {
            JmsConnectionFactory amqp = new JmsConnectionFactory(broker.uri().replace("tcp:", "amqp:"));
            for (ConnectionFactory factory : List.of(core, amqp, core, amqp)) {
                JmsClient.send(factory, "orders", (session, producer) -> {
                    BytesMessage message = session.createBytesMessage();
                    message.writeBytes(body);
                    message.setStringProperty("colour", "red");
                    producer.send(message);
                });
            }
            admin.call("setPolicy", 0L, POLICY);
            CompletableFuture<Boolean> sealing = CompletableFuture.supplyAsync(() -> {
                try {
                    return seal(admin, "sealBacklog", 1).containsKey("sealed");
                } catch (Exception killed) {
                    return false;
                }
            });
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(new Random().nextInt(100, 1_500)));
            broker.kill();
            boolean unused = sealing.get(3, TimeUnit.MINUTES);
        }
        try (TestBroker broker = setup.start();
                ControlClient admin = new ControlClient(broker);
                QueueReader reader = new QueueReader(broker)) {
            assertThat(seal(admin, "judgeBacklog", 500)).containsEntry("left", 0);
            assertThat(seal(admin, "sealBacklog", 500)).containsEntry("left", 0);

            Awaitility.await()
                    .untilAsserted(() -> assertThat(broker.disk().largeFiles()).hasSize(4));
            assertThat(new DiskScan(folder.resolve("data/large")).filesWith(LargeBodies.MARK))
                    .isEmpty();
            for (int i = 0; i < 4; i++) {
                assertThat(broker.homes
                                .open(reader.nextBody("orders"), "orders", policies(admin))
                                .payload())
                        .isEqualTo(body);
            }
            assertThat(reader.poll("orders")).isNull();
            broker.awaitNoLargeFiles();
        }
    }

    @Test
    void policyOfSealedProducers_leavesClearMessages() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        Producers.CORE.send(broker, "orders", "in clear");
        admin.call("setPolicy", 0L, POLICY.replace("}", ", \"where\": \"client\"}"));

        assertThat(seal(admin, "sealBacklog", 500)).containsEntry("sealed", 0).containsEntry("left", 1);

        assertCount(broker, 1);
    }

    private TestBroker startPaging() throws Exception {
        return start(setup.with(configuration -> Objects.requireNonNull(
                        configuration.getAddressSettings().get("#"))
                .setMaxSizeBytes(50_000)
                .setPageSizeBytes(20_000)
                .setMaxReadPageBytes(40_000)));
    }

    /** Several pages, and far more than the broker reads of them into memory. */
    @Tag(Tier.LONG)
    @Test
    void pagedQueue_isSealedWholly_inItsOrder() throws Exception {
        TestBroker broker = startPaging();
        ControlClient admin = closing(new ControlClient(broker));
        JmsClient.send(Producers.core(broker), "orders", (session, producer) -> {
            producer.setDeliveryDelay(3_600_000);
            producer.send(session.createTextMessage("later"));
        });
        sendNumbers(broker.uri(), 500);
        admin.call("setPolicy", 0L, POLICY);
        assertThat(broker.queue("orders").getPagingStore().isPaging()).isTrue();

        assertThat(seal(admin, "judgeBacklog", 200)).containsEntry("sealed", 501);
        assertThat(seal(admin, "sealBacklog", 200)).containsEntry("sealed", 501).containsEntry("left", 0);
        assertThat(seal(admin, "sealBacklog", 200)).containsEntry("sealed", 0).containsEntry("sealed-before", 501);
        DiskScan pages = new DiskScan(folder.resolve("data/paging"));
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(pages.filesWith("x".repeat(100))).isEmpty());

        assertThat(numbers(broker, policies(admin))).containsExactlyElementsOf(range(500));
        assertThat(broker.queue("orders").getScheduledCount()).isEqualTo(1);
    }

    /** A wait for pages in each of these hundred steps would take longer than the job has patience. */
    @Tag(Tier.LONG)
    @Test
    void sealedMessagesInPages_areLookedAtWithoutAWaitInEachStep() throws Exception {
        TestBroker broker = startPaging();
        ControlClient admin = closing(new ControlClient(broker));
        admin.call("setPolicy", 0L, POLICY);
        sendNumbers(broker.uri(), 500);

        assertThat(seal(admin, "sealBacklog", 5)).containsEntry("sealed", 0).containsEntry("sealed-before", 500);
    }

    /** The broker reads no further pages while these messages fill its memory, so they must not hide the others. */
    @Tag(Tier.LONG)
    @Test
    void sealedMessagesBeforeClearOnesInPages_areTold() throws Exception {
        TestBroker broker = startPaging();
        ControlClient admin = closing(new ControlClient(broker));
        admin.call("setPolicy", 0L, POLICY);
        sendNumbers(broker.uri(), 200);
        admin.call("removePolicy", 1L, "orders");
        sendNumbers(broker.uri(), 100);
        admin.call("setPolicy", 2L, POLICY);

        String job = admin.call("beginBacklog", "orders").path("job").textValue();
        JsonNode answer = admin.call("sealBacklog", job, 500);

        assertThat(answer.path("sealed").intValue()).isZero();
        assertThat(answer.path("hidden").booleanValue()).as(answer.toString()).isTrue();
        assertThat(answer.path("remaining").intValue()).isPositive();
        assertCount(broker, 300);
    }

    @Tag(Tier.LONG)
    @Test
    void pausedQueue_isSealed() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        sendNumbers(broker.uri(), 10);
        admin.call("setPolicy", 0L, POLICY);
        broker.queue("orders").pause();

        assertThat(seal(admin, "sealBacklog", 500)).containsEntry("sealed", 10);

        broker.queue("orders").resume();
        assertThat(numbers(broker, policies(admin))).containsExactlyElementsOf(range(10));
    }

    /** A queue that takes no message would lose a copy whose original is acknowledged. */
    @Test
    void disabledQueue_keepsItsMessages() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        sendNumbers(broker.uri(), 3);
        admin.call("setPolicy", 0L, POLICY);
        broker.queue("orders").setEnabled(false);

        assertThat(seal(admin, "sealBacklog", 500)).containsEntry("sealed", 0).containsEntry("left", 3);

        assertCount(broker, 3);
        assertThat(broker.queue("orders").getDeliveringCount()).isZero();
    }

    @Tag(Tier.LONG)
    @Test
    void consumerOfTheQueue_receivesEachMessageOnce() throws Exception {
        TestBroker broker = startPaging();
        ControlClient admin = closing(new ControlClient(broker));
        sendNumbers(broker.uri(), 2_000);
        admin.call("setPolicy", 0L, POLICY);
        PolicySet policies = policies(admin);
        CompletableFuture<List<String>> received = CompletableFuture.supplyAsync(() -> {
            try {
                return numbers(broker, policies);
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        String job = admin.call("beginBacklog", "orders").path("job").textValue();
        int sealed = 0;
        while (!received.isDone()) {
            JsonNode answer = admin.call("sealBacklog", job, 50);
            assertThat(answer.path("left").intValue()).isZero();
            sealed += answer.path("sealed").intValue();
        }

        List<String> numbers = received.get();
        assertThat(numbers)
                .map(number -> number.replace(" in clear", ""))
                .containsExactlyInAnyOrderElementsOf(range(2_000));
        assertThat(numbers).filteredOn(number -> !number.contains(" ")).hasSize(sealed);
    }

    /** Two queues have the same messages, and one of them is sealed: no copy comes into the other, also at a mirror. */
    @Test
    void mirror_receivesCopiesForTheirQueueAlone() throws Exception {
        TestBroker.Change queues = configuration -> List.of("sealed", "clear")
                .forEach(name -> configuration.addQueueConfiguration(
                        QueueConfiguration.of(name).setAddress("orders").setRoutingType(RoutingType.MULTICAST)));
        TestBroker mirror = start(
                new TestBroker.Setup(homes, folder.resolve("mirror")).bare().with(queues));
        TestBroker broker = start(new TestBroker.Setup(homes, folder.resolve("data"))
                .property("policy-store", "broker")
                .with(queues)
                .connected(mirror.uri(), new AMQPMirrorBrokerConnectionElement().setDurable(true)));
        ControlClient admin = closing(new ControlClient(broker));
        try (var connection = Producers.core(broker).createConnection();
                Session session = connection.createSession();
                var producer = session.createProducer(session.createTopic("orders"))) {
            for (int i = 0; i < 3; i++) {
                producer.send(session.createTextMessage("a payload"));
            }
        }
        admin.call("setPolicy", 0L, POLICY);

        assertThat(seal(admin, admin.call("beginBacklog", "sealed"), "sealBacklog", 500))
                .containsEntry("sealed", 3);

        for (TestBroker each : List.of(broker, mirror)) {
            Awaitility.await().untilAsserted(() -> {
                assertThat(types(each, "sealed")).containsExactly(4, 4, 4);
                assertThat(types(each, "clear")).containsExactly(3, 3, 3);
            });
        }
    }

    /** The types of the Core messages in a queue: 3 is a text, and 4 has bytes. */
    private static List<Integer> types(TestBroker broker, String queue) throws Exception {
        List<Integer> types = new ArrayList<>();
        broker.queue(queue).forceDelivery();
        try (var messages = broker.queue(queue).browserIterator()) {
            while (messages.hasNext()) {
                types.add((int) messages.next().getMessage().toCore().getType());
            }
        }
        return types;
    }

    @Test
    void lastValueQueue_isRefused() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        broker.server()
                .createQueue(QueueConfiguration.of("last")
                        .setRoutingType(RoutingType.ANYCAST)
                        .setLastValue(true));

        assertThat(admin.call("beginBacklog", "last").path("refused").textValue())
                .contains("last-value");
    }

    /** Without a consumer the broker would delete messages that are given back. */
    @Tag(Tier.LONG)
    @Test
    void queueThatIsPurgedWithoutConsumers_isRefused_alsoIfItBecomesThatMeanwhile() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        Producers.CORE.send(broker, "orders", "in clear");
        admin.call("setPolicy", 0L, POLICY);
        String job = admin.call("beginBacklog", "orders").path("job").textValue();
        broker.server()
                .updateQueue(QueueConfiguration.of("orders")
                        .setRoutingType(RoutingType.ANYCAST)
                        .setPurgeOnNoConsumers(true));

        assertThatThrownBy(() -> admin.call("sealBacklog", job, 10)).hasMessageContaining("purge-on-no-consumers");
        assertThat(admin.call("beginBacklog", "orders").path("refused").textValue())
                .contains("purge-on-no-consumers");
        assertCount(broker, 1);
    }

    /** Its body can be read by all, so the answer must not count it among the sealed ones. */
    @Test
    void messageThatIsOnlySigned_isListed_afterThePolicyDemandsEncryption() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        admin.call("setPolicy", 0L, "{\"pattern\": \"orders\", \"quality\": \"integrity\"}");
        Producers.CORE.send(broker, "orders", "signed alone");
        admin.call("setPolicy", 1L, POLICY);

        assertThat(seal(admin, "judgeBacklog", 10)).containsEntry("left", 1).containsEntry("sealed-before", 0);
        assertThat(seal(admin, "sealBacklog", 10)).containsEntry("left", 1).containsEntry("sealed", 0);
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

    private static List<String> range(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    /** Takes all messages, opens the first sealed ones, and returns the numbers of all. */
    private static List<String> numbers(TestBroker broker, PolicySet policies) throws Exception {
        List<String> numbers = new ArrayList<>();
        int toOpen = 50;
        try (var factory = new ActiveMQConnectionFactory(broker.uri());
                var connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                var consumer = session.createConsumer(session.createQueue("orders"))) {
            connection.start();
            for (Message message = consumer.receive(180_000); message != null; message = consumer.receive(1_000)) {
                boolean isSealed = message instanceof BytesMessage;
                if (numbers.size() % 10 == 9) {
                    session.commit(); // the broker reads further pages after that
                }
                String number = message.getStringProperty("number");
                numbers.add(isSealed ? number : number + " in clear");
                if (isSealed && toOpen-- > 0) {
                    assertThat(text(broker, message.getBody(byte[].class), policies))
                            .isEqualTo("x".repeat(1_000));
                }
            }
            session.commit();
        }
        return numbers;
    }

    /** The first messages lie in the journal, and most in more than fifty pages. */
    @Tag(Tier.LONG)
    @Test
    void killedBroker_losesAndDoublesNothing_andASecondJobGoesOn() throws Exception {
        int count = 20_000;
        int pagedFrom = 2_000_000;
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int kills = 0;
        for (boolean done = false; !done; ) {
            try (BrokerProcess broker = BrokerProcess.shortLived(
                    folder, "-Xmx512m", "-Dpolicy-store=broker", "-Dpaged-from=" + pagedFrom)) {
                if (kills == 0) {
                    sendNumbers(broker.uri(), count);
                    try (ControlClient admin = new ControlClient(broker.uri(), null)) {
                        admin.call("setPolicy", 0L, POLICY);
                    }
                }
                CompletableFuture<Boolean> sealing = CompletableFuture.supplyAsync(() -> {
                    try (ControlClient admin = new ControlClient(broker.uri() + "?callTimeout=180000", null)) {
                        return seal(admin, "sealBacklog", count / 200).getOrDefault("sealed", 0) >= 0;
                    } catch (Exception killed) {
                        return false;
                    }
                });
                if (kills < 3) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(100, 900)));
                    broker.kill();
                    kills++;
                }
                done = sealing.get(3, TimeUnit.MINUTES); // longer than its own patience and its last answer
            }
        }
        TestBroker broker = start(setup.own()
                .with(configuration -> Objects.requireNonNull(
                                configuration.getAddressSettings().get("#"))
                        .setMaxSizeBytes(pagedFrom)
                        .setPageSizeBytes(pagedFrom / 5)));
        ControlClient admin = closing(new ControlClient(broker));
        assertThat(numbers(broker, policies(admin)))
                .as("seed %d, %d kills", seed, kills)
                .containsExactlyElementsOf(range(count));
    }

    /** Waits for the number of messages: the broker counts a sealed copy a little after the original has gone. */
    private static void assertCount(TestBroker broker, long expected) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.waiting("orders")).isEqualTo(expected));
    }
}
