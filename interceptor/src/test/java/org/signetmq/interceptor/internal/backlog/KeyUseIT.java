/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.transaction.impl.XidImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.utils.UUIDGenerator;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.ControlClient;
import org.signetmq.interceptor.TestBroker;
import org.signetmq.interceptor.TestHomes;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/** The keys that messages in the queues of a broker need. Clients have sealed the messages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KeyUseIT {
    private static final List<String> QUEUES = List.of(
            "plain", "paged", "later", "doomed", "dead", "late", "expired", "held", "large", "last", "prepared");
    private static final String AUDITOR = "auditor";

    private TestBroker broker;
    private ControlClient viewer;
    private byte[] forConsumer;
    private byte[] forAuditor;
    private byte[] forBoth;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().createUser(AUDITOR);
        setup.homes().policies(1);
        broker = setup.queues(QUEUES)
                .paging("paged")
                .with(configuration -> {
                    AddressSettings ends = new AddressSettings()
                            .setDeadLetterAddress(SimpleString.of("dead"))
                            .setExpiryAddress(SimpleString.of("expired"));
                    configuration.getAddressSettings().put("doomed", ends);
                    configuration.getAddressSettings().put("late", ends);
                    configuration
                            .getAddressSettings()
                            .put("last", new AddressSettings().setDefaultLastValueQueue(true));
                })
                .start();
        viewer = new ControlClient(broker);
        forConsumer = sealed(TestHomes.privacy("#"));
        forAuditor = sealed(Policy.confidentiality("#", List.of(AUDITOR), KeyLimits.DEFAULT));
        forBoth = sealed(Policy.privacy("#", List.of(TestHomes.CONSUMER, AUDITOR)));
    }

    @BeforeEach
    void empty() throws Exception {
        broker.empty(QUEUES);
    }

    @AfterAll
    void stop() throws Exception {
        viewer.close();
        broker.close();
    }

    private static PolicySet only(Policy policy) {
        return PolicySet.of(1, UnmatchedAddress.PASS, List.of(policy));
    }

    private byte[] sealed(Policy policy) {
        return sealed(policy, broker.homes.brokerIdentity());
    }

    private byte[] sealed(Policy policy, Identity signer) {
        ClearMessage message = ClearMessage.of("plain", ClearMessage.Body.BYTES, new byte[1000]);
        return broker.homes.sealed(message, only(policy), signer);
    }

    private byte[] largeRow(Policy policy) throws IOException {
        ClearMessage head = ClearMessage.of("large", ClearMessage.Body.BYTES, new byte[0]);
        return broker.homes.sealed(head, new byte[2_500_000], only(policy), broker.homes.brokerIdentity());
    }

    private String nameOf(String party) {
        return broker.homes.broker.recipientDirectory().all().stream()
                .filter(entry -> entry.name().equals(party))
                .map(entry -> EnvelopeParties.namesOf(entry.certificate()).get(0))
                .findFirst()
                .orElseThrow();
    }

    private ActiveMQConnectionFactory core() {
        return new ActiveMQConnectionFactory(broker.uri());
    }

    /** Makes the settings of a producer. */
    @FunctionalInterface
    private interface Settings {
        void of(MessageProducer producer) throws Exception;
    }

    /** Sends bytes, and returns the time of the first message. */
    private static long send(ConnectionFactory factory, String queue, Settings settings, byte[]... bodies)
            throws Exception {
        long first = 0;
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            settings.of(producer);
            for (byte[] body : bodies) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                message.setStringProperty("_AMQ_LVQ_NAME", "key");
                producer.send(message);
                first = first == 0 ? message.getJMSTimestamp() : first;
            }
        }
        return first;
    }

    private long send(String queue, byte[]... bodies) throws Exception {
        return send(core(), queue, producer -> {}, bodies);
    }

    private JsonNode queried(String... wanted) throws Exception {
        String id = viewer.call("queryKeyUse", String.join(" ", wanted))
                .path("query")
                .textValue();
        JsonNode step;
        do {
            step = viewer.call("listKeyUse", id, 0);
        } while (!step.path("done").booleanValue());
        StringBuilder text = new StringBuilder(step.path("text").textValue());
        while (text.length() < step.path("length").intValue()) {
            text.append(
                    viewer.call("listKeyUse", id, text.length()).path("text").textValue());
        }
        return new JsonMapper().readTree(text.toString());
    }

    private static JsonNode use(JsonNode answer, String key, String role) {
        for (JsonNode use : answer.path("keys")) {
            if (use.path("key").textValue().equals(key)
                    && use.path("role").textValue().equals(role)) {
                return use;
            }
        }
        return new JsonMapper().createObjectNode();
    }

    /** Returns the numbers of messages for a key by their queues. */
    private static Map<String, Long> queues(JsonNode answer, String key, String role) {
        Map<String, Long> queues = new TreeMap<>();
        for (JsonNode row : use(answer, key, role).path("queues")) {
            JsonNode place = answer.path("places").path(row.path("place").intValue());
            assertThat(place.path("address").textValue())
                    .isEqualTo(place.path("queue").textValue());
            queues.put(place.path("queue").textValue(), row.path("messages").longValue());
        }
        return queues;
    }

    @Tag(Tier.LONG)
    @Test
    void messagesOfTwoKeys_areCountedWhereverTheyAre_withTheOldest() throws Exception {
        long oldest = send("plain", forConsumer, forConsumer, forConsumer);
        send("plain", forBoth, forBoth);
        send("plain", "in clear".getBytes(US_ASCII));
        send("plain", sealed(Policy.integrity("#")));
        byte[][] many = new byte[150][];
        Arrays.fill(many, forConsumer);
        send("paged", many);
        assertThat(broker.queue("paged").getPagingStore().isPaging()).isTrue();
        send(core(), "later", producer -> producer.setDeliveryDelay(60_000), forAuditor, forAuditor);
        send("doomed", forConsumer, forConsumer);
        assertThat(broker.control("doomed").sendMessagesToDeadLetterAddress(null))
                .isEqualTo(2);
        send("late", forAuditor);
        assertThat(broker.control("late").expireMessages(null)).isOne();
        send("large", largeRow(TestHomes.privacy("#")), largeRow(Policy.integrity("#")));
        send(
                new JmsConnectionFactory(broker.uri().replace("tcp:", "amqp:")),
                "large",
                producer -> {},
                largeRow(Policy.confidentiality("#", List.of(AUDITOR), KeyLimits.DEFAULT)));
        ActiveMQConnectionFactory compressing = core();
        compressing.setCompressLargeMessage(true);
        send(compressing, "large", producer -> {}, largeRow(Policy.privacy("#", List.of(AUDITOR))));
        send("last", forAuditor, forConsumer); // the last one stays
        send("held", forConsumer, forConsumer);
        send("paged", forAuditor);

        try (Connection connection = core().createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                MessageConsumer held = session.createConsumer(session.createQueue("held"));
                MessageConsumer paged = session.createConsumer(session.createQueue("paged"))) {
            connection.start();
            assertThat(held.receive(180_000)).isNotNull();
            assertThat(paged.receive(180_000)).isNotNull();
            awaitDelivered("held", 2);
            awaitDelivered("paged", 1);

            JsonNode answer = queried();

            assertThat(queues(answer, nameOf(TestHomes.CONSUMER), "recipient"))
                    .isEqualTo(new TreeMap<>(
                            Map.of("plain", 5L, "paged", 150L, "dead", 2L, "large", 1L, "last", 1L, "held", 2L)));
            assertThat(queues(answer, nameOf(AUDITOR), "recipient"))
                    .isEqualTo(
                            new TreeMap<>(Map.of("plain", 2L, "paged", 1L, "later", 2L, "expired", 1L, "large", 2L)));
            assertThat(queues(answer, nameOf("broker"), "signer")).isEqualTo(Map.of("plain", 1L, "large", 1L));
            assertThat(use(answer, nameOf(TestHomes.CONSUMER), "recipient")
                            .path("oldest")
                            .longValue())
                    .isEqualTo(oldest);
            assertThat(answer.path("clear").longValue()).isOne();
            assertComplete(answer);
        }
    }

    @Test
    void senderThatAgrees_andBothSigners_areNamed() throws Exception {
        Identity companion;
        try (Password password = Password.fromFile(broker.homes.passwordFile)) {
            companion = broker.homes
                    .broker
                    .identityStore()
                    .create(new IdentityRequest("broker.pq", "CN=broker", KeyAlgorithm.ML_DSA_65, null), password);
        }
        Policy both = Policy.integrity("#")
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("broker"), CertificateInclusion.INCLUDED))
                .with(new Enforcement(SignatureCheck.SIGNATURE, false, false, null, List.of(), RequiredKeys.BOTH));
        send("plain", sealed(both, broker.homes.brokerIdentity().with(companion)));
        send("late", sealed(Policy.authenticity("#", List.of(AUDITOR), KeyLimits.DEFAULT)));

        JsonNode answer = queried();

        assertThat(queues(answer, nameOf("broker"), "signer")).isEqualTo(Map.of("plain", 1L));
        assertThat(queues(answer, nameOf("broker.pq"), "signer")).isEqualTo(Map.of("plain", 1L));
        assertThat(queues(answer, nameOf("broker"), "sender")).isEqualTo(Map.of("late", 1L));
        assertThat(queues(answer, nameOf(AUDITOR), "recipient")).isEqualTo(Map.of("late", 1L));
        assertComplete(answer);
    }

    /** Waits until a consumer has at least this number of messages, and gets no further ones. */
    private void awaitDelivered(String queue, int least) {
        AtomicInteger last = new AtomicInteger();
        Awaitility.await().pollInterval(200, TimeUnit.MILLISECONDS).until(() -> {
            int now = broker.queue(queue).getDeliveringCount();
            return last.getAndSet(now) == now && now >= least;
        });
    }

    private static void assertComplete(JsonNode answer) {
        assertThat(answer.path("not-looked-at").longValue()).isZero();
        assertThat(answer.path("unreadable").longValue()).isZero();
        assertThat(answer.path("limits")).isEmpty();
        assertThat(answer.path("queues-left-out").longValue()).isZero();
    }

    @Test
    void messagesOfPreparedTransactions_count_sentAndReceivedOnes() throws Exception {
        send("prepared", forConsumer);
        Xid xid = new XidImpl(
                "test".getBytes(US_ASCII),
                1,
                UUIDGenerator.getInstance().generateStringUUID().getBytes(US_ASCII));
        try (XAConnection connection = core().createXAConnection();
                XASession session = connection.createXASession()) {
            connection.start();
            XAResource resource = session.getXAResource();
            resource.start(xid, XAResource.TMNOFLAGS);
            MessageConsumer consumer = session.createConsumer(session.createQueue("prepared"));
            assertThat(consumer.receive(180_000)).isNotNull();
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(forAuditor);
            session.createProducer(session.createQueue("prepared")).send(message);
            resource.end(xid, XAResource.TMSUCCESS);
            assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
            consumer.close();

            JsonNode answer = queried();
            resource.rollback(xid);

            assertThat(queues(answer, nameOf(TestHomes.CONSUMER), "recipient")).containsEntry("prepared", 1L);
            assertThat(queues(answer, nameOf(AUDITOR), "recipient")).containsEntry("prepared", 1L);
            assertComplete(answer);
        }
    }

    @Test
    void hostileEnvelopes_areCountedApart_andTheRestIsSummedUp() throws Exception {
        byte[] garbage = forConsumer.clone();
        Arrays.fill(garbage, 30, 60, (byte) 0xFF);
        send("plain", garbage, Arrays.copyOf(forConsumer, 100));
        String name = nameOf(AUDITOR);
        int place = indexOf(forAuditor, HexFormat.of().parseHex(name.substring("ski:".length())));
        byte[][] strangers = new byte[KeyTable.MOST_KEYS + 200][];
        for (int i = 0; i < strangers.length; i++) {
            strangers[i] = forAuditor.clone();
            ByteBuffer.wrap(strangers[i]).putInt(place, i);
        }
        send("plain", strangers);
        send("plain", forConsumer);
        send("late", forConsumer);

        JsonNode answer = queried(nameOf(TestHomes.CONSUMER));

        assertThat(answer.path("not-understood").longValue()).isEqualTo(2);
        assertThat(answer.path("keys").size()).isEqualTo(KeyTable.MOST_KEYS + 1);
        assertThat(answer.path("others").path("messages").longValue()).isEqualTo(200);
        assertThat(queues(answer, nameOf(TestHomes.CONSUMER), "recipient")).isEqualTo(Map.of("plain", 1L, "late", 1L));
        assertComplete(answer);
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; i + part.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("not in these bytes");
    }

    @Test
    void namesOfQueues_areWholeInTheParts_andCannotBreakTheAnswer() throws Exception {
        String odd = "odd\"\u001b[31m\n" + "\uD83D\uDE00".repeat(2_000);
        broker.server()
                .addAddressInfo(
                        new AddressInfo(SimpleString.of(odd), EnumSet.of(RoutingType.ANYCAST, RoutingType.MULTICAST)));
        broker.server().createQueue(QueueConfiguration.of(odd).setRoutingType(RoutingType.ANYCAST));
        for (int i = 0; i < 12; i++) {
            broker.server()
                    .createQueue(QueueConfiguration.of(odd + i).setAddress(odd).setRoutingType(RoutingType.MULTICAST));
        }
        send(core(), "plain", producer -> {}, forAuditor);
        try (Connection connection = core().createConnection();
                Session session = connection.createSession()) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(forConsumer);
            session.createProducer(session.createTopic(odd)).send(message);
        }

        JsonNode answer = queried();

        JsonNode rows = use(answer, nameOf(TestHomes.CONSUMER), "recipient").path("queues");
        assertThat(rows.size()).isGreaterThanOrEqualTo(12);
        assertThat(answer.path("places").findValuesAsText("address")).contains(odd);
        broker.server().destroyQueue(SimpleString.of(odd));
        for (int i = 0; i < 12; i++) {
            broker.server().destroyQueue(SimpleString.of(odd + i));
        }
    }

    @Test
    void lookBeyondItsLimit_saysHowManyMessagesItLeft() throws Exception {
        send("plain", forConsumer, forConsumer, forConsumer, forConsumer, forConsumer);
        send("late", forConsumer, forConsumer);
        try (KeyUseQuery query = new KeyUseQuery(
                broker.server(),
                Set.of(),
                new KeyUseQuery.Limits(3, TimeUnit.MINUTES.toNanos(1), Long.MAX_VALUE >> 1))) {
            assertThat(query.step()).isTrue();

            JsonNode answer = new JsonMapper().readTree(query.answer());

            assertThat(answer.path("messages").longValue()).isEqualTo(3);
            assertThat(answer.path("not-looked-at").longValue()).isEqualTo(4);
            assertThat(answer.path("limits").path(0).textValue()).isEqualTo("a query reads 3 messages at most");
        }
    }

    @Test
    void lookInShortSteps_goesOnWhereItWas_andTheQueueDeliversMeanwhile() throws Exception {
        byte[][] many = new byte[200][];
        Arrays.fill(many, forConsumer);
        send("plain", many);
        int steps = 0;
        try (KeyUseQuery query = new KeyUseQuery(
                        broker.server(),
                        Set.of(),
                        new KeyUseQuery.Limits(10_000, TimeUnit.MINUTES.toNanos(1), 50_000));
                Connection connection = core().createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue("plain"))) {
            while (!query.step()) {
                steps++;
                if (steps == 3) {
                    connection.start();
                    assertThat(consumer.receive(180_000)).isNotNull();
                }
            }

            JsonNode answer = new JsonMapper().readTree(query.answer());

            assertThat(steps).isGreaterThan(3);
            assertThat(queues(answer, nameOf(TestHomes.CONSUMER), "recipient").get("plain"))
                    .isGreaterThanOrEqualTo(199);
            assertComplete(answer);
        }
    }

    @Test
    void unknownLooks_offsetsAndLongLists_areRefused() throws Exception {
        assertThatThrownBy(() -> viewer.call("listKeyUse", "another", 0)).hasMessageContaining("no such query");
        assertThatThrownBy(() -> viewer.call("queryKeyUse", "x".repeat(30_001)))
                .hasMessageContaining("more than 30000 characters");
        Set<String> queries = new LinkedHashSet<>();
        for (int i = 0; i <= KeyOperations.MOST_KEPT; i++) {
            queries.add(viewer.call("queryKeyUse", "").path("query").textValue());
        }
        String first = queries.iterator().next();
        assertThatThrownBy(() -> viewer.call("listKeyUse", first, 0)).hasMessageContaining("no such query");
        String last = List.copyOf(queries).get(queries.size() - 1);
        assertThatThrownBy(() -> viewer.call("listKeyUse", last, -1)).hasMessageContaining("offset");
    }
}
