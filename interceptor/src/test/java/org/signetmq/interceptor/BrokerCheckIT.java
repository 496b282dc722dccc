/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.plugin.impl.LoggingActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.Policy;

/** What the operation {@code listFindings} finds in real brokers. */
final class BrokerCheckIT extends OneBroker {
    private static final String HOSTILE = "\u001b\u202e" + "x".repeat(10_000);
    private static final Object[] RIGHTS_FOR_ALL = {
        "mops.signet.#", "", "", "", "", "", "", "", "", "", "", "all", "all"
    };

    @BeforeEach
    void makeSetup() throws Exception {
        setup.policyRoles().with(BrokerCheckIT::makeGood);
        setup.homes().policies(1, TestHomes.privacy("orders"));
    }

    private static void makeGood(Configuration configuration) {
        AddressSettings all = settings("#", configuration);
        all.setDeadLetterAddress(SimpleString.of("DLQ")).setExpiryAddress(SimpleString.of("ExpiryQueue"));
        for (String name : List.of("DLQ", "ExpiryQueue")) {
            configuration.addAddressSetting(name, new AddressSettings().setMaxDeliveryAttempts(-1));
            configuration.addQueueConfiguration(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
        }
        configuration.setManagementMessageRbac(true);
    }

    private static AddressSettings settings(String match, Configuration configuration) {
        return Objects.requireNonNull(configuration.getAddressSettings().get(match));
    }

    private static JsonNode answer(TestBroker broker) throws Exception {
        try (ControlClient victor = new ControlClient(broker.uri(), "victor")) {
            return victor.call("listFindings");
        }
    }

    private static List<JsonNode> findings(TestBroker broker) throws Exception {
        return list(answer(broker).path("findings"));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    /** There is one finding, whose text begins so. */
    private static void assertOnly(List<JsonNode> findings, String begin) {
        assertThat(findings)
                .singleElement()
                .satisfies(found -> assertThat(text(found)).startsWith(begin));
    }

    private static String text(JsonNode finding) {
        return finding.path("level").textValue() + " " + finding.path("area").textValue() + ": "
                + finding.path("what").textValue() + "; "
                + finding.path("remedy").textValue();
    }

    @Test
    void goodBroker_hasNoFinding() throws Exception {
        TestBroker broker = start();
        JsonNode answer = answer(broker);

        assertThat(list(answer.path("findings"))).isEmpty();
        assertThat(answer.path("artemis").textValue())
                .isEqualTo(broker.server().getVersion().getFullVersion());
        assertThat(Instant.parse(answer.path("time").textValue()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(list(answer.path("areas")).stream().map(JsonNode::textValue))
                .contains("plugin order", "acceptors", "dead letters", "management")
                .hasSize(14);
    }

    @Test
    void userWithoutTheRightToView_isRejected() throws Exception {
        TestBroker broker = start();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        assertThatThrownBy(() -> alice.invoke("listFindings")).hasMessageContaining("does not have permission");
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault(
                        configuration ->
                                configuration.getBrokerMessagePlugins().add(0, new LoggingActiveMQServerPlugin()),
                        "wrong plugin order: plugins before Signet receive messages in clear: 'org.apache.activemq"),
                fault(
                        configuration -> configuration.addAcceptorConfiguration(
                                "whole", "tcp://127.0.0.1:0?protocols=AMQP;amqpMinLargeMessageSize=-1"),
                        "warning acceptors: acceptor 'whole' has amqpMinLargeMessageSize=-1"),
                fault(
                        configuration -> configuration.addAcceptorConfiguration(
                                "lossy",
                                "tcp://127.0.0.1:0?protocols=MQTT;closeMqttConnectionOnPublishAuthorizationFailure=false"),
                        "warning acceptors: acceptor 'lossy' has closeMqttConnectionOnPublish"),
                fault(
                        configuration -> configuration
                                .getBridgeConfigurations()
                                .add(new BridgeConfiguration()
                                        .setName("bridge" + HOSTILE)
                                        .setQueueName("DLQ")
                                        .setStaticConnectors(List.of())
                                        .setUseDuplicateDetection(false)),
                        "warning bridges: bridge 'bridge??xxx"),
                fault(
                        configuration -> configuration.getAddressSettings().remove("DLQ"),
                        "wrong dead letters: 'DLQ', for dead letters of 'orders', has no setting of its own: the broker"
                                + " moves a message a second time, to 'DLQ', after 10 delivery attempts"),
                fault(
                        configuration -> configuration.getAddressSettings().remove("ExpiryQueue"),
                        "wrong dead letters: 'ExpiryQueue', for expired messages of 'orders', has no setting of its own"),
                fault(
                        configuration -> settings("DLQ", configuration).setExpiryDelay(1000L),
                        "wrong dead letters: 'DLQ', for dead letters of 'orders', has an expiry-delay: the broker moves a"
                                + " message a second time, to 'ExpiryQueue'"),
                fault(
                        configuration -> settings("#", configuration).setDeadLetterAddress(null),
                        "warning dead letters: 1 protected addresses or patterns have no dead-letter-address, such as"
                                + " 'orders'"),
                fault(
                        configuration -> {
                            settings("#", configuration).setDeadLetterAddress(SimpleString.of("DLQ" + HOSTILE));
                            configuration.addAddressSetting(
                                    "DLQ" + HOSTILE, new AddressSettings().setMaxDeliveryAttempts(-1));
                        },
                        "warning dead letters: 'DLQ??xxx"),
                fault(
                        configuration -> configuration.setManagementMessageRbac(false),
                        "warning management: management-message-rbac is false, so each role with manage may give"
                                + " users other roles, also one that changes policies: 'all'"),
                fault(
                        configuration -> configuration.setJMXManagementEnabled(true),
                        "warning management: JMX is not guarded"),
                fault(
                        configuration -> configuration.putSecurityRoles(
                                "mops.signet.#", Set.of(role("all", true, true), role("signet-viewer", true, false))),
                        "warning security: the same role changes policies and administers queues: 'all'"),
                fault(
                        configuration -> configuration.setPersistenceEnabled(false),
                        "wrong large messages: large messages to protected addresses are rejected: the broker runs"
                                + " without persistence"));
    }

    private static Role role(String name, boolean views, boolean edits) {
        return new Role(name, false, false, false, false, false, false, false, false, false, false, views, edits);
    }

    private static Arguments fault(TestBroker.Change change, String finding) {
        return Arguments.of(finding, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void fault_isFound_andNothingElse(String finding, TestBroker.Change change) throws Exception {
        TestBroker broker = start(setup.with(change));
        assertThat(findings(broker)).singleElement().satisfies(found -> {
            assertThat(text(found)).startsWith(finding).doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
            assertThat(found.path("remedy").textValue()).isNotBlank();
            assertThat(found.path("what").textValue()).hasSizeLessThanOrEqualTo(600);
        });
    }

    @Test
    void policiesInABrokerWithoutSecurity_areWrong() throws Exception {
        TestBroker.Setup open = new TestBroker.Setup(homes, folder.resolve("data"))
                .property("policy-store", "broker")
                .with(BrokerCheckIT::makeGood)
                .with(configuration -> configuration.setManagementMessageRbac(false));
        TestBroker broker = start(open);
        ControlClient anyone = closing(new ControlClient(broker));
        assertOnly(
                list(anyone.call("listFindings").path("findings")),
                "wrong security: the broker checks no users, so every client may change");
    }

    @Test
    void policiesInABrokerWithoutPersistence_areWrong() throws Exception {
        setup.property("policy-store", "broker").with(configuration -> configuration.setPersistenceEnabled(false));
        TestBroker broker = start();
        assertThat(findings(broker))
                .singleElement()
                .satisfies(found ->
                        assertThat(text(found)).startsWith("wrong plugin: ").contains("persistence-enabled"));
    }

    /** An administrator may add an acceptor to the running broker, whose policies were judged before. */
    @Test
    void prefixOfALaterAcceptor_isWrong() throws Exception {
        homes.policies(1, TestHomes.privacy("shop.orders"));
        TestBroker broker = start();
        broker.server()
                .getRemotingService()
                .createAcceptor("late", "tcp://127.0.0.1:0?protocols=CORE;anycastPrefix=shop.")
                .start();

        assertOnly(
                findings(broker),
                "wrong acceptors: policy 'shop.orders' matches no message of acceptor 'late',"
                        + " which removes the prefix 'shop.'; name the policy 'orders'");
    }

    @Test
    void recipient_thatEndsSoon_orHasEnded_isFound() throws Exception {
        TestBroker broker = start();
        CertificateDesk.endAt(Instant.now().plus(Duration.ofDays(10)), consumer(homes), homes.broker);
        Awaitility.await().until(() -> !findings(broker).isEmpty());
        assertOnly(findings(broker), "warning certificates: the certificate recipients/'consumer' ends in ");

        CertificateDesk.endAt(Instant.now().minusSeconds(60), consumer(homes), homes.broker);
        Awaitility.await()
                .until(() -> findings(broker).stream()
                        .anyMatch(found -> text(found).startsWith("wrong policies: 'orders': messages are rejected")));
    }

    private static Identity consumer(TestHomes homes) {
        try (Password password = Password.fromFile(homes.passwordFile)) {
            return homes.consumer.identityStore().load(TestHomes.CONSUMER, password);
        }
    }

    @Test
    void brokenPolicyFile_andOpenHome_areWrong() throws Exception {
        TestBroker broker = start();
        Files.writeString(homes.broker.policies(), "{ no policies");
        Awaitility.await().until(() -> !findings(broker).isEmpty());
        assertOnly(findings(broker), "wrong policies: the changed policies are not in force: ");

        Files.setPosixFilePermissions(homes.broker.trust(), PosixFilePermissions.fromString("rwxrwxrwx"));
        Awaitility.await()
                .until(() -> findings(broker).stream()
                        .anyMatch(found -> text(found).startsWith("wrong plugin: messages are rejected: ")
                                && text(found).contains("chmod go-w")));
    }

    @Test
    void manyProblemsOfPolicies_haveABoundedAnswer() throws Exception {
        homes.policies(
                1,
                IntStream.range(0, 2000)
                        .mapToObj(i -> TestHomes.privacy("orders" + i + "x".repeat(1000)))
                        .toArray(Policy[]::new));
        TestBroker broker = start();
        Files.delete(homes.broker.recipients().resolve(TestHomes.CONSUMER + ".pem"));
        Awaitility.await().until(() -> !findings(broker).isEmpty());

        JsonNode answer = answer(broker);

        assertThat(answer.path("findings").size()).isEqualTo(21);
        assertThat(answer.toString().length()).isLessThan(30_000);
        assertThat(text(answer.path("findings").path(20))).contains("1980 more are not listed");
    }

    /** An administrator chooses the length of the names in a file. */
    @Test
    void longReason_isCut() throws Exception {
        homes.policies(
                1,
                IntStream.range(0, 2000)
                        .mapToObj(i -> Policy.privacy("orders" + i, List.of("user" + i)))
                        .toArray(Policy[]::new));
        TestBroker broker = start();
        assertThat(findings(broker)).singleElement().satisfies(found -> {
            assertThat(text(found)).startsWith("wrong plugin: messages are rejected: policies: ");
            assertThat(found.path("what").textValue()).hasSize(600).endsWith("...");
        });
    }

    /** Artemis lets a user with manage add a setting, which then is in force in place of that of broker.xml. */
    @Test
    void settingThatAUserAdded_givesNoRight_andTakesThatOfOthers() throws Exception {
        setup.with(configuration -> configuration.setManagementMessageRbac(false));
        TestBroker broker = start();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        ControlClient victor = closing(new ControlClient(broker.uri(), "victor"));
        Object unused = alice.server("addSecuritySettings", RIGHTS_FOR_ALL);

        for (ControlClient client : List.of(alice, victor)) {
            assertThatThrownBy(() -> client.invoke("listFindings")).hasMessageContaining("does not have permission");
        }
    }

    /** A narrower setting wins over that of broker.xml. */
    @Test
    void narrowerSettingThatAUserAdded_givesNoRight() throws Exception {
        setup.with(configuration -> configuration.setManagementMessageRbac(false));
        Object[] rights = RIGHTS_FOR_ALL.clone();
        rights[0] = "mops.signet.setPolicy";
        TestBroker broker = start();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        Object unused = alice.server("addSecuritySettings", rights);

        assertThatThrownBy(() -> alice.invoke("setPolicy", 1L, "{}")).hasMessageContaining("does not have permission");
    }
}
