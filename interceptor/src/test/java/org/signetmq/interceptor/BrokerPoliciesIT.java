/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.Connection;
import jakarta.jms.TemporaryQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.internal.status.PluginStatus.State;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** Policies that the broker keeps in its bindings journal, and their changes by management messages. */
final class BrokerPoliciesIT extends OneBroker {
    private static final String ORDERS =
            "{\"pattern\": \"orders\", \"quality\": \"privacy\", \"recipients\": [\"consumer\"]}";

    @BeforeEach
    void keepPoliciesInTheBroker() {
        setup.property("policy-store", "broker");
    }

    private TestBroker.Setup again(TestBroker before) {
        return new TestBroker.Setup(before.homes, before.data).property("policy-store", "broker");
    }

    @Test
    void firstStart_takesOverTheFile_andLaterStartsDoNot() throws Exception {
        homes.policies(3, TestHomes.privacy("orders"));
        TestBroker first = start();
        try (first) {
            assertThat(first.state().state()).isEqualTo(State.READY);
            assertThat(first.state().policies().version()).isEqualTo(3);
            try (ControlClient admin = new ControlClient(first)) {
                JsonNode change = admin.call("getLastChange");
                assertThat(change.path("store").textValue()).isEqualTo("broker");
                assertThat(change.path("from").textValue()).endsWith("policies.json");
            }
        }
        first.homes.policies(9, Policy.integrity("other"));

        try (TestBroker second = again(first).start();
                QueueReader reader = new QueueReader(second).queue("orders")) {
            assertThat(second.state().reason()).isNull();
            assertThat(second.state().policies().version()).isEqualTo(3);
            Producers.CORE.send(second, "orders", "a payload");
            assertThat(reader.nextBody("orders")).isNotEmpty();
            assertThat(second.sealed()).isEqualTo(1);
        }
    }

    /** The broker deletes the record 0 of its bindings with each temporary address, which has no record. */
    @Tag(Tier.LONG)
    @Test
    void temporaryQueueOfAFreshBroker_isDeleted_andThePoliciesStay() throws Exception {
        homes.policies(3, TestHomes.privacy("orders"));
        TestBroker first = start();
        try (first;
                Connection connection = Producers.core(first).createConnection()) {
            TemporaryQueue queue = connection.createSession().createTemporaryQueue();
            SimpleString name = SimpleString.of(queue.getQueueName());
            assertThat(first.server().getAddressInfo(name)).isNotNull();
            queue.delete();
            await().untilAsserted(() ->
                    assertThat(first.server().getAddressInfo(name)).isNull());
        }

        try (TestBroker second = again(first).start()) {
            assertThat(second.state().reason()).isNull();
            assertThat(second.state().policies().version()).isEqualTo(3);
        }
    }

    @Test
    void withoutAFile_messagesPassUntilTheFirstChange() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        assertThat(broker.state().state()).isEqualTo(State.READY);
        Producers.CORE.send(broker, "orders", "before");

        assertThat(admin.outcome("setPolicy", 0L, ORDERS)).isEqualTo("changed");

        Producers.CORE.send(broker, "orders", "after");
        assertThat(broker.sealed()).isEqualTo(1);
    }

    /** The first start must not take a policy file that cannot be used for none. */
    @Test
    void fileThatCannotBeUsed_isNotTakenOver_andAllMessagesAreRejected() throws Exception {
        Files.writeString(homes.broker.policies(), "{\"schema\": 1, \"version\": 1, \"policie\": []}");

        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(State.FAILED);
        assertThat(broker.state().reason()).contains("policie");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "a payload"))
                .hasMessageContaining("rejected");
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void change_isInForceForTheNextMessageOfEachProtocol(Producers producer) throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        producer.send(broker, "orders", "in clear");
        assertThat(broker.sealed()).isZero();

        admin.call("setPolicy", 0L, ORDERS);
        producer.send(broker, "orders", "sealed");
        assertThat(broker.sealed()).isEqualTo(1);

        admin.call("removePolicy", 1L, "orders");
        producer.send(broker, "orders", "in clear again");
        assertThat(broker.sealed()).isEqualTo(1);
    }

    @Test
    void rollback_isAnAuditedChangeWithANewVersion_judgedAsEveryChange_andHistorySurvivesARestart() throws Exception {
        TestBroker first = start();
        try (first;
                ControlClient admin = new ControlClient(first)) {
            admin.call("setPolicy", 0L, ORDERS);
            admin.call("setPolicy", 1L, "{\"pattern\": \"orders\", \"quality\": \"integrity\"}");

            String former = former(admin, 1);
            assertThat(admin.outcome("judgeImpacts", admin.upload(2, former))).isEqualTo("accepted");
            assertThat(admin.replace(1, former).path("outcome").textValue()).isEqualTo("stale");
            assertThat(first.state().policies().version()).isEqualTo(2);

            JsonNode done = admin.replace(2, former);

            assertThat(done.path("outcome").textValue()).isEqualTo("changed");
            assertThat(done.path("version").asLong()).isEqualTo(3);
            assertThat(admin.call("queryPolicy", "orders").path("policy").textValue())
                    .isEqualTo("orders@3");
            assertThat(admin.call("queryPolicy", "orders").path("quality").textValue())
                    .isEqualTo("privacy");
            JsonNode audited = AuditLines.of("policies-changed").get(2);
            assertThat(audited.path("version").asLong()).isEqualTo(3);
            assertThat(audited.path("before").asLong()).isEqualTo(2);
        }

        try (TestBroker second = again(first).start();
                ControlClient admin = new ControlClient(second)) {
            JsonNode history = admin.call("listHistory");
            assertThat(history.path("version").asLong()).isEqualTo(3);
            assertThat(history.path("former").findValuesAsText("version")).containsExactly("2", "1");
            assertThat(history.path("former").path(0).path("at").textValue()).isNotBlank();
            assertThat(admin.call("listFormerPolicies", 2L, 0).path("text").textValue())
                    .contains("integrity");
        }
    }

    @Test
    void history_keepsTheLastTwentySets_andNoRollbackGoesToOthers() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        for (long version = 0; version < 23; version++) {
            admin.set(version, "unmatched", version % 2 == 0 ? "\"reject\"" : "\"pass\"");
        }

        JsonNode former = admin.call("listHistory").path("former");
        assertThat(former).hasSize(20);
        assertThat(former.path(0).path("version").asLong()).isEqualTo(22);
        assertThat(former.path(19).path("version").asLong()).isEqualTo(3);
        for (long gone : new long[] {2, 0, -1, 23, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> admin.call("listFormerPolicies", gone, 0))
                    .hasMessageContaining("version " + gone + ": the broker keeps no such former policies");
        }
        assertThat(admin.replace(23, former(admin, 4)).path("version").asLong()).isEqualTo(24);
    }

    @Tag(Tier.LONG)
    @Test
    void historyOfManyPolicies_isBounded_andRollsBack() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        for (int version = 0; version < 4; version++) {
            boolean encrypts = version % 2 == 0;
            PolicySet many = PolicySet.of(
                    1,
                    UnmatchedAddress.PASS,
                    IntStream.range(0, 100_000)
                            .mapToObj(number -> "orders.of.department." + number)
                            .map(pattern -> encrypts ? TestHomes.privacy(pattern) : Policy.integrity(pattern))
                            .toList());
            admin.replace(version, PolicyFile.format(many));
        }

        assertThat(admin.call("listHistory").path("former")).hasSize(3);
        assertThat(admin.replace(4, former(admin, 3)).path("version").asLong()).isEqualTo(5);
    }

    @Test
    void change_survivesARestart_withItsOrigin() throws Exception {
        TestBroker first = start();
        try (first;
                ControlClient admin = new ControlClient(first)) {
            admin.call("setPolicy", 0L, ORDERS);
            admin.set(1, "unmatched", "\"reject\"");
        }

        try (TestBroker second = again(first).start();
                ControlClient admin = new ControlClient(second)) {
            assertThat(second.state().policies().version()).isEqualTo(2);
            assertThat(admin.call("getLastChange").path("at").textValue()).isNotBlank();
            assertThatThrownBy(() -> Producers.CORE.send(second, "elsewhere", "a payload"))
                    .hasMessageContaining("no policy covers the address");
        }
    }

    @Test
    void twoChangesOfOneVersion_oneIsStale_andNothingIsLost() throws Exception {
        TestBroker broker = start();
        ControlClient one = closing(new ControlClient(broker));
        ControlClient other = closing(new ControlClient(broker));
        one.call("setPolicy", 0L, ORDERS);

        JsonNode late = other.call("removePolicy", 0L, "orders");

        assertThat(late.path("outcome").textValue()).isEqualTo("stale");
        assertThat(late.path("version").longValue()).isEqualTo(1);
        assertThat(late.path("change").path("from").textValue()).startsWith("127.0.0.1:");
        assertThat(broker.state().policies().version()).isEqualTo(1);
    }

    @Test
    void invalidChange_isRejectedWithEachProblem_andChangesNothing() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        JsonNode answer = admin.call(
                "setPolicy",
                0L,
                "{\"pattern\": \"orders\", \"quality\": \"privacy\", \"recipients\": [\"stranger\", \"nemo\"]}");

        assertThat(answer.path("outcome").textValue()).isEqualTo("rejected");
        assertThat(answer.path("problems").findValuesAsText("path")).containsExactly("recipients[0]", "recipients[1]");
        assertThat(answer.path("problems").findValuesAsText("message"))
                .allMatch(message -> message.contains("no certificate named"));
        assertThat(admin.call("getLastChange").path("version").longValue()).isZero();
    }

    @Test
    void hostileArguments_areRejected_andTheBrokerStaysReady() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        for (String policy : List.of("", "[]", "null", "{", "{\"pattern\":\"a\",\"pattern\":\"b\"}", "{}")) {
            assertThat(admin.outcome("setPolicy", 0L, policy)).as(policy).isEqualTo("rejected");
        }
        String deep = "{\"a\":".repeat(2000) + "1" + "}".repeat(2000);
        assertThat(admin.outcome("setPolicy", 0L, deep)).isIn("rejected", "refused");
        assertThat(admin.set(0, "unmatched", "\"perhaps\"").path("outcome").textValue())
                .isEqualTo("rejected");
        assertThat(admin.set(0, "wildcards", "{\"delimiter\": \"..\"}")
                        .path("outcome")
                        .textValue())
                .isEqualTo("rejected");
        assertThatThrownBy(() -> admin.call("addPolicies", "no such upload", 0, "text"))
                .isInstanceOf(ControlClient.FailedOperationException.class)
                .hasMessageContaining("no such upload");
        assertThatThrownBy(() -> admin.call("listPolicies", 0L, -1)).hasMessageContaining("offset");
        assertThatThrownBy(() -> admin.call("listNames", "x".repeat(4097))).hasMessageContaining("at most 4096");
        assertThatThrownBy(() -> admin.call("listFormerPolicies", 99L, 0))
                .isInstanceOf(ControlClient.FailedOperationException.class);

        assertThat(broker.state().state()).isEqualTo(State.READY);
        assertThat(broker.state().policies().version()).isZero();
    }

    @Test
    void wholeDocument_inParts_replacesThePolicies_andIsReadBackByteForByte() throws Exception {
        TestBroker first = start();
        String text = document(2_000);
        try (first;
                ControlClient admin = new ControlClient(first)) {
            assertThat(admin.replace(0, text).path("outcome").textValue()).isEqualTo("changed");
            assertThat(admin.replace(1, text).path("outcome").textValue()).isEqualTo("unchanged");
            assertThat(admin.policies()).isEqualTo(text.replace("\"version\" : 7", "\"version\" : 1"));
        }

        try (TestBroker second = again(first).start();
                ControlClient admin = new ControlClient(second)) {
            assertThat(admin.policies()).isEqualTo(text.replace("\"version\" : 7", "\"version\" : 1"));
        }
    }

    @Test
    void names_areThoseOfTheHome_searchedAndBounded() throws Exception {
        Path recipients = homes.broker.recipients();
        for (int i = 0; i < 205; i++) {
            Files.copy(recipients.resolve(TestHomes.CONSUMER + ".pem"), recipients.resolve("copy" + i + ".pem"));
        }
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        JsonNode one = admin.call("listNames", TestHomes.CONSUMER.toUpperCase(Locale.ROOT));
        JsonNode many = admin.call("listNames", "copy");

        assertThat(one.toString()).isEqualTo("{\"names\":[\"" + TestHomes.CONSUMER + "\"],\"left-out\":0}");
        assertThat(many.path("names")).hasSize(200);
        assertThat(many.path("left-out").intValue()).isEqualTo(5);
        assertThat(admin.call("listNames", "nobody").path("names")).isEmpty();
    }

    /** Such a set takes some hundred records of the journal. */
    @Tag(Tier.LONG)
    @Test
    void hundredThousandPolicies_areStoredAndLoaded() throws Exception {
        TestBroker first = start();
        try (first;
                ControlClient admin = new ControlClient(first.uri() + "?callTimeout=180000", null)) {
            assertThat(admin.replace(0, document(100_000)).path("outcome").textValue())
                    .isEqualTo("changed");
            assertThat(admin.outcome("setPolicy", 1L, ORDERS)).isEqualTo("changed");
        }

        try (TestBroker second = again(first).start()) {
            assertThat(second.state().policies().version()).isEqualTo(2);
            Producers.CORE.send(second, "queue.99999", "sealed");
            Producers.CORE.send(second, "orders", "sealed");
            Producers.CORE.send(second, "queue.100000", "in clear");
            assertThat(second.sealed()).isEqualTo(2);
        }
    }

    /** A part that ended within a character of two {@code char}s would not come through as JSON. */
    @Test
    void partsOfPolicies_divideNoCharacter() throws Exception {
        Policy[] policies = IntStream.range(0, 60)
                .mapToObj(i -> Policy.integrity("x".repeat(i % 3) + "\uD83D\uDE00".repeat(1000) + i))
                .toArray(Policy[]::new);
        homes.policies(1, policies);
        String text = Files.readString(homes.broker.policies());
        assertThat(IntStream.rangeClosed(1, text.length() / 30_000)
                        .anyMatch(part -> Character.isHighSurrogate(text.charAt(part * 30_000 - 1))))
                .isTrue();

        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        assertThat(admin.policies()).isEqualTo(text);
    }

    private static String document(int policies) {
        return PolicyFile.format(PolicySet.of(
                7,
                UnmatchedAddress.PASS,
                IntStream.range(0, policies)
                        .mapToObj(i ->
                                Policy.confidentiality("queue." + i, List.of(TestHomes.CONSUMER), KeyLimits.DEFAULT))
                        .toList()));
    }

    private static String former(ControlClient admin, long version) throws Exception {
        return admin.document("listFormerPolicies", version);
    }

    /** The wildcards of broker.xml changed. All messages are rejected until the policies are as well. */
    @Test
    void policiesThatDoNotFitTheBroker_areReadAndMendedFromAfar() throws Exception {
        TestBroker first = start();
        try (first;
                ControlClient admin = new ControlClient(first)) {
            admin.call("setPolicy", 0L, ORDERS);
        }

        TestBroker.Setup other = again(first)
                .with(configuration -> configuration.getWildcardConfiguration().setDelimiter('/'));
        try (TestBroker second = other.start();
                ControlClient admin = new ControlClient(second)) {
            assertThat(second.state().state()).isEqualTo(State.FAILED);
            assertThat(admin.policies()).contains("orders");

            String wildcards = "{\"delimiter\": \"/\", \"any-words\": \"#\", \"single-word\": \"*\"}";
            assertThat(admin.set(1, "wildcards", wildcards).path("outcome").textValue())
                    .isEqualTo("changed");

            assertThat(second.state().state()).isEqualTo(State.READY);
        }
    }

    @Test
    void brokerWithAPolicyFile_refusesChanges_andSaysWhy() throws Exception {
        homes.policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start(new TestBroker.Setup(homes, folder.resolve("data")));
        ControlClient admin = closing(new ControlClient(broker));
        JsonNode answer = admin.call("removePolicy", 1L, "orders");

        assertThat(answer.path("outcome").textValue()).isEqualTo("refused");
        assertThat(answer.path("reason").textValue()).contains("in the file policies.json");
        assertThat(broker.state().policies().version()).isEqualTo(1);
    }

    @Test
    void brokerWithoutPersistence_isFailed_andSaysWhatToDo() throws Exception {
        setup.with(configuration -> configuration.setPersistenceEnabled(false));
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(State.FAILED);
        assertThat(broker.state().reason()).contains("persistence-enabled").contains("write 'file'");
    }
}
