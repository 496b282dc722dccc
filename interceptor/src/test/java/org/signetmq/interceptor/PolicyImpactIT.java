/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/** What a judged change of policies means for the addresses, queues and messages of a broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PolicyImpactIT {
    private static final List<String> QUEUES = List.of("orders.eu", "orders.us", "other", "paged");
    private static final String SEALED =
            "{\"pattern\": \"%s\", \"quality\": \"confidentiality\", \"recipients\": [\"consumer\"]}";

    private TestBroker broker;
    private ControlClient admin;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().createUser("auditor");
        broker = setup.property("policy-store", "broker")
                .queues(QUEUES)
                .paging("paged")
                .start();
        admin = new ControlClient(broker);
    }

    @BeforeEach
    void empty() throws Exception {
        JsonNode unused = admin.replace(version(), PolicyFile.format(PolicySet.EMPTY));
        broker.empty(QUEUES);
    }

    @AfterAll
    void stop() throws Exception {
        admin.close();
        broker.close();
    }

    private JsonNode judged(String policy) throws Exception {
        return impact(admin.call("judgeImpact", version(), policy));
    }

    private long version() throws Exception {
        return admin.call("getLastChange").path("version").longValue();
    }

    private JsonNode judged(PolicySet policies) throws Exception {
        String upload = admin.call("beginPolicies", version()).path("upload").textValue();
        admin.call("addPolicies", upload, 0, PolicyFile.format(policies));
        return impact(admin.call("judgeImpacts", upload));
    }

    /** Puts the parts of the consequences together. */
    private JsonNode impact(JsonNode first) throws Exception {
        assertThat(first.path("outcome").textValue()).isEqualTo("accepted");
        StringBuilder text = new StringBuilder(first.path("text").textValue());
        while (text.length() < first.path("length").intValue()) {
            text.append(admin.call("readImpact", first.path("impact").textValue(), text.length())
                    .path("text")
                    .textValue());
        }
        return new JsonMapper().readTree(text.toString());
    }

    private static List<String> addresses(JsonNode impact) {
        return StreamSupport.stream(impact.path("addresses").spliterator(), false)
                .map(entry -> entry.path("address").textValue())
                .toList();
    }

    /** Returns the numbers of the first queue of an address: all, clear, as required, otherwise, not looked at. */
    private static List<Integer> counts(JsonNode impact, String address) {
        JsonNode entry = StreamSupport.stream(impact.path("addresses").spliterator(), false)
                .filter(candidate -> candidate.path("address").textValue().equals(address))
                .findFirst()
                .orElseThrow();
        JsonNode queue = entry.path("queues").path(0);
        return Stream.of("messages", "clear", "as-required", "otherwise", "not-looked-at")
                .map(name -> queue.path(name).intValue())
                .toList();
    }

    @Test
    void newPolicy_namesTheTouchedAddresses_andCountsTheirMessagesByProtection() throws Exception {
        long version = version() + 1;
        List<Producers> producers = List.of(Producers.CORE, Producers.AMQP, Producers.STOMP_TEXT);
        for (Producers producer : producers) {
            producer.send(broker, "orders.eu", "in clear");
        }
        Producers.CORE.send(broker, "orders.eu", LargeBodies.text(300_000));
        Producers.CORE.send(broker, "other", "in clear");
        admin.call("setPolicy", version(), SEALED.formatted("orders.eu"));
        for (Producers producer : producers) {
            producer.send(broker, "orders.eu", "sealed");
        }
        Producers.CORE.send(broker, "orders.eu", LargeBodies.text(300_000));
        String both = SEALED.formatted("orders.eu").replace("[", "[\"auditor\", ");

        JsonNode sameForOne = judged(SEALED.formatted("orders.eu").replace("}", ", \"key-reuse\": 7}"));
        JsonNode forBoth = judged(both);
        JsonNode byPattern = judged(SEALED.formatted("orders.#"));
        JsonNode elsewhere = judged(SEALED.formatted("nowhere"));

        assertThat(addresses(sameForOne)).containsExactly("orders.eu");
        assertThat(counts(sameForOne, "orders.eu")).containsExactly(8, 4, 4, 0, 0);
        assertThat(counts(forBoth, "orders.eu")).containsExactly(8, 4, 0, 4, 0);
        assertThat(addresses(byPattern)).containsExactly("orders.us"); // the more specific policy stays in force
        assertThat(addresses(elsewhere)).isEmpty();
        assertThat(forBoth.at("/addresses/0/before/pattern").textValue()).isEqualTo("orders.eu");
        assertThat(broker.waiting("orders.eu")).isEqualTo(8);
        assertThat(version()).isEqualTo(version);
    }

    @Test
    void otherQualityOrSignersInsideOfEncryption_cannotBeTold_andTheBacklogIsWarnedOf() throws Exception {
        String sealed = SEALED.formatted("orders.eu");
        String signed = sealed.replace("confidentiality", "privacy");
        String byOthers = signed.replace("}", ", \"signers\": [\"auditor\"]}");
        admin.call("setPolicy", version(), sealed);
        Producers.CORE.send(broker, "orders.eu", "sealed");

        JsonNode answer = admin.call("judgeImpact", version(), signed);
        JsonNode same = admin.call("judgeImpact", version(), sealed.replace("}", ", \"key-reuse\": 7}"));
        admin.call("setPolicy", version(), signed);
        JsonNode others = impact(admin.call("judgeImpact", version(), byOthers));

        assertThat(told(impact(answer), "orders.eu")).containsExactly(0, 1, 0);
        assertThat(answer.path("warnings").path(0).textValue())
                .startsWith("orders.eu: the quality changes from confidentiality to privacy, and consumers may reject");
        assertThat(told(impact(same), "orders.eu")).containsExactly(1, 0, 0);
        assertThat(same.path("warnings")).isEmpty();
        assertThat(told(others, "orders.eu")).containsExactly(0, 1, 0);
    }

    /** Returns how many messages of the first queue of the address are as required, cannot be told, or otherwise. */
    private static List<Integer> told(JsonNode impact, String address) {
        JsonNode entry = impact.path("addresses").path(0);
        assertThat(entry.path("address").textValue()).isEqualTo(address);
        JsonNode queue = entry.path("queues").path(0);
        return Stream.of("as-required", "cannot-tell", "otherwise")
                .map(name -> queue.path(name).intValue())
                .toList();
    }

    @Test
    void integrity_isVerified_andAnotherQualityIsOtherwise() throws Exception {
        admin.call("setPolicy", version(), "{\"pattern\": \"orders.eu\", \"quality\": \"integrity\"}");
        Producers.AMQP.send(broker, "orders.eu", "signed");

        JsonNode signers =
                judged("{\"pattern\": \"orders.eu\", \"quality\": \"integrity\", \"signers\": [\"broker\"]}");
        JsonNode others =
                judged("{\"pattern\": \"orders.eu\", \"quality\": \"integrity\", \"signers\": [\"auditor\"]}");
        JsonNode encrypted = judged(SEALED.formatted("orders.eu"));
        JsonNode none = judged("{\"pattern\": \"orders.eu\", \"quality\": \"none\"}");

        assertThat(counts(signers, "orders.eu")).containsExactly(1, 0, 1, 0, 0);
        assertThat(counts(others, "orders.eu")).containsExactly(1, 0, 0, 1, 0);
        assertThat(counts(encrypted, "orders.eu")).containsExactly(1, 0, 0, 1, 0);
        assertThat(counts(none, "orders.eu")).containsExactly(1, 0, 0, 1, 0);
    }

    @Test
    void otherDefault_touchesTheAddressesWithoutAPolicy() throws Exception {
        admin.call("setPolicy", version(), SEALED.formatted("orders.*"));
        Producers.CORE.send(broker, "other", "in clear");

        JsonNode impact = judged(PolicySet.of(
                1,
                UnmatchedAddress.REJECT,
                List.of(Policy.confidentiality("orders.*", List.of("consumer"), KeyLimits.DEFAULT))));

        assertThat(addresses(impact)).contains("other", "paged").doesNotContain("orders.eu", "orders.us");
        assertThat(addresses(impact)).noneMatch(name -> name.startsWith("activemq.") || name.startsWith("$"));
        assertThat(impact.path("temporary-addresses").intValue()).isEqualTo(1); // for the answers to this client
        assertThat(counts(impact, "other")).containsExactly(1, 1, 0, 0, 0);
        assertThat(impact.at("/addresses/0/before/unmatched").textValue()).isEqualTo("pass");
        assertThat(impact.at("/addresses/0/after/unmatched").textValue()).isEqualTo("reject");
    }

    @Test
    void scheduledPagedAndDeliveredMessages_areCounted_andAConsumerStillGetsAll() throws Exception {
        JmsClient.send(Producers.core(broker), "paged", (session, producer) -> {
            for (int i = 0; i < 200; i++) {
                producer.send(session.createTextMessage("x".repeat(1_000)));
            }
        });
        JmsClient.send(Producers.core(broker), "other", (session, producer) -> {
            producer.setDeliveryDelay(60_000);
            producer.send(session.createTextMessage("later"));
        });
        assertThat(broker.queue("paged").getPagingStore().isPaging()).isTrue();

        assertThat(counts(judged(SEALED.formatted("paged")), "paged")).containsExactly(200, 200, 0, 0, 0);
        assertThat(counts(judged(SEALED.formatted("other")), "other")).containsExactly(1, 1, 0, 0, 0);

        try (var connection = Producers.core(broker).createConnection();
                Session session = connection.createSession();
                var consumer = session.createConsumer(session.createQueue("paged"))) {
            connection.start();
            assertThat(consumer.receive(180_000)).isNotNull();
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.waiting("paged")).isEqualTo(199));
    }

    @Test
    void removal_tellsWhatBecomesOfItsMessages_andChangesNothing() throws Exception {
        admin.call("setPolicy", version(), SEALED.formatted("orders.eu"));
        Producers.CORE.send(broker, "orders.eu", "sealed");
        long version = version();

        JsonNode judged = admin.call("judgeRemoval", version, "orders.eu");
        JsonNode unknown = admin.call("judgeRemoval", version, "nowhere");

        assertThat(counts(impact(judged), "orders.eu")).containsExactly(1, 0, 0, 1, 0);
        assertThat(unknown.path("outcome").textValue()).isEqualTo("rejected");
        assertThat(unknown.has("impact")).isFalse();
        assertThat(version()).isEqualTo(version);
    }

    @Test
    void manyAddresses_areBounded_andTheRestIsCounted() throws Exception {
        for (int i = 0; i < 1_100; i++) {
            broker.server().addAddressInfo(new AddressInfo(SimpleString.of("many." + i), RoutingType.ANYCAST));
        }
        Producers.CORE.send(broker, "orders.us", "in clear");

        JsonNode impact = judged(SEALED.formatted("#"));

        assertThat(impact.path("addresses")).hasSize(1_000);
        assertThat(addresses(impact)).startsWith("orders.us"); // the address with messages comes first
        assertThat(impact.path("addresses-left-out").intValue()).isGreaterThanOrEqualTo(100);
        assertThatThrownBy(() -> admin.call("readImpact", "another", 0)).hasMessageContaining("no such judgement");
        for (int i = 0; i < 1_100; i++) {
            broker.server().removeAddressInfo(SimpleString.of("many." + i), null);
        }
    }

    @Test
    void changeThatIsRejectedOrStale_hasNoConsequences() throws Exception {
        JsonNode rejected =
                admin.call("judgeImpact", version(), SEALED.formatted("a").replace("consumer", "unknown"));
        JsonNode stale = admin.call("judgeImpact", 99L, SEALED.formatted("a"));

        assertThat(rejected.path("outcome").textValue()).isEqualTo("rejected");
        assertThat(rejected.has("impact")).isFalse();
        assertThat(stale.path("outcome").textValue()).isEqualTo("stale");
    }
}
