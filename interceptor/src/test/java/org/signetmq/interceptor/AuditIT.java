/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.RecordingLogs;

/** The audit log of a broker with real clients. No line contains a payload or a password. */
final class AuditIT {
    private static final String TEXT = "never to be seen in a log, 0123456789 ".repeat(4);

    @TempDir
    private Path folder;

    @BeforeEach
    void forget() {
        RecordingLogs.forget();
    }

    private static Policy audited(QualityOfProtection quality) {
        return EveryProtocolIT.policy("orders", quality).with(Policy.Acceptance.DEFAULT.with(MessageAudit.EACH));
    }

    private static void assertNoSecret() {
        assertThat(AuditLines.all())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.toString())
                        .doesNotContain("never to be seen", LargeBodies.MARK, "a password of tests")
                        .doesNotContainPattern("\"secret\""));
        assertThat(AuditLines.all()).allSatisfy(line -> {
            assertThat(line.get("at").asText()).endsWith("Z");
            assertThat(line.get("broker").asText()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void eachSealedMessage_hasALineThatNamesItsEnvelope(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        PolicySet policies = setup.homes().policies(17, audited(QualityOfProtection.PRIVACY));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            producer.send(broker, "orders", TEXT);

            byte[] envelope = reader.nextBody("orders");
            assertLine(broker.homes.open(envelope, "orders", policies), envelope);
        }
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "STOMP_TEXT"})
    void eachLargeMessage_hasOneLine(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        PolicySet policies = setup.homes().policies(17, audited(QualityOfProtection.CONFIDENTIALITY));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            producer.send(broker, "orders", LargeBodies.TEXT);

            byte[] envelope = reader.nextBody("orders");
            assertLine(broker.homes.open(envelope, "orders", policies), envelope);
        }
    }

    /** The broker cannot convert it, so the plugin seals it before. */
    @Test
    void amqpMessageThatIsSealedEarly_hasOneLine() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        PolicySet policies = setup.homes().policies(17, audited(QualityOfProtection.PRIVACY));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            JmsClient.AMQP.send(broker, "orders", session -> {
                StreamMessage message = session.createStreamMessage();
                message.writeBytes(LargeBodies.TEXT.getBytes(StandardCharsets.UTF_8));
                return message;
            });

            byte[] envelope = reader.nextBody("orders");
            assertLine(broker.homes.open(envelope, "orders", policies), envelope);
        }
    }

    private static void assertLine(OpenedMessage opened, byte[] envelope) {
        JsonNode line = AuditLines.of("message-sealed").get(0);
        assertThat(AuditLines.of("message-sealed")).hasSize(1);
        assertThat(line.get("message-id").asText())
                .isEqualTo(opened.entityIfProtected().orElseThrow().messageId());
        assertThat(line.get("sha256").asText())
                .isEqualTo(HexFormat.of()
                        .formatHex(CryptoProviders.digest("SHA-256").digest(envelope)));
        assertThat(line.get("address").asText()).isEqualTo("orders");
        assertThat(line.get("sender").asText()).isEqualTo("alice");
        assertThat(line.get("policy").asText()).isEqualTo("orders@17");
        assertThat(line.get("recipients").toString()).isEqualTo("[\"" + TestHomes.CONSUMER + "\"]");
        assertNoSecret();
    }

    @Test
    void messagesOfOtherPolicies_haveNoLine() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        setup.homes().policies(17, EveryProtocolIT.policy("orders", QualityOfProtection.PRIVACY));
        try (TestBroker broker = setup.start()) {
            Producers.CORE.send(broker, "orders", TEXT);
            Producers.CORE.send(broker, "open", TEXT);

            assertThat(broker.sealed()).isEqualTo(1);
            assertThat(AuditLines.of("message-sealed")).isEmpty();
            assertThat(AuditLines.of("started").get(0).get("version").asLong()).isEqualTo(17);
        }
    }

    @Test
    void rejectedMessages_haveTheirReasonsAndSenders() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        setup.homes()
                .policies(PolicySet.of(
                        1, UnmatchedAddress.REJECT, List.of(LargeBodies.sealedByClients(TestHomes.privacy("orders")))));
        try (TestBroker broker = setup.start()) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", TEXT))
                        .isNotNull();
                assertThatThrownBy(() -> Producers.AMQP.send(broker, "open", TEXT))
                        .isNotNull();
            }

            assertThat(AuditLines.of("message-rejected"))
                    .hasSize(2)
                    .anySatisfy(line -> {
                        assertThat(line.get("reason").asText()).isEqualTo("not-sealed");
                        assertThat(line.get("address").asText()).isEqualTo("orders");
                    })
                    .anySatisfy(line -> {
                        assertThat(line.get("reason").asText()).isEqualTo("no-policy");
                        assertThat(line.get("text").asText()).isEqualTo("no policy covers the address");
                    })
                    .allSatisfy(line -> {
                        assertThat(line.get("user").asText()).isEqualTo("alice");
                        assertThat(line.get("from").asText()).contains("127.0.0.1:");
                        assertThat(line.get("left-out").asLong()).isZero();
                    });
            assertNoSecret();
        }
    }

    @Test
    void senderWithoutPermission_isNamedByTheBroker() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        setup.homes().policies(1, TestHomes.privacy("orders"));
        try (TestBroker broker = setup.start();
                Connection connection = Producers.core(broker).createConnection("mallory", "secret");
                Session session = connection.createSession()) {
            assertThatThrownBy(() -> session.createProducer(session.createQueue("orders"))
                            .send(session.createTextMessage(TEXT)))
                    .isNotNull();

            assertThat(AuditLines.of("message-rejected")).singleElement().satisfies(line -> {
                assertThat(line.get("reason").asText()).isEqualTo("no-permission");
                assertThat(line.get("user").asText()).isEqualTo("mallory");
            });
            assertNoSecret();
        }
    }

    @Test
    void changesOfTheHome_areLinesAndNotifications() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        TestHomes homes = setup.homes();
        homes.policies(1, Policy.integrity("orders"));
        try (TestBroker broker = setup.start();
                Connection connection = Producers.core(broker).createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(
                        session.createTopic("activemq.notifications"), "audit_event IS NOT NULL")) {
            connection.start();

            homes.policies(2, TestHomes.privacy("orders"));

            Message changed = consumer.receive(180_000);
            assertThat(changed.getStringProperty("_AMQ_NotifType")).isEqualTo("SIGNET_POLICIES_CHANGED");
            assertThat(changed.getStringProperty("audit_by")).isEqualTo("file");
            assertThat(changed.getLongProperty("audit_version")).isEqualTo(2);
            assertThat(changed.getLongProperty("audit_before")).isEqualTo(1);
            JsonNode line = AuditLines.of("policies-changed").get(0);
            assertThat(line.get("policies").get(0).get("before").get("quality").asText())
                    .isEqualTo("integrity");
            assertThat(line.get("policies").get(0).get("after").get("quality").asText())
                    .isEqualTo("privacy");

            var bob = homes.create(homes.consumer, "bob");
            Files.copy(
                    homes.consumer.trust().resolve("bob.pem"),
                    homes.broker.trust().resolve("bob.pem"));
            Files.copy(
                    homes.consumer.recipients().resolve("bob.pem"),
                    homes.broker.recipients().resolve("bob.pem"));

            await().until(() -> AuditLines.of("keys-changed").size()
                            + AuditLines.of("trust-changed").size()
                    == 2);
            JsonNode added = AuditLines.of("keys-changed").get(0).get("added").get(0);
            assertThat(AuditLines.of("keys-changed").get(0).get("folder").asText())
                    .isEqualTo("recipients");
            assertThat(added.get("name").asText()).isEqualTo("bob");
            assertThat(added.get("ski").asText())
                    .isEqualTo(KeyIdentifier.ofKey(bob.certificate()).toString());
            assertThat(added.get("subject").asText()).contains("CN=bob");
            assertThat(added.get("until").asText())
                    .isEqualTo(bob.certificate().getNotAfter().toInstant().toString());
            assertThat(AuditLines.of("trust-changed").get(0).get("folder").asText())
                    .isEqualTo("trust");

            Files.copy(
                    homes.consumer.recipients().resolve(TestHomes.CONSUMER + ".pem"),
                    homes.broker.recipients().resolve("bob.pem"),
                    StandardCopyOption.REPLACE_EXISTING);

            await().until(() -> AuditLines.of("keys-changed").size() == 2);
            assertThat(AuditLines.of("keys-changed")
                            .get(1)
                            .get("replaced")
                            .get(0)
                            .get("before")
                            .get("ski")
                            .asText())
                    .isEqualTo(KeyIdentifier.ofKey(bob.certificate()).toString());

            assertThat(RecordingLogs.linesOfBroker()).noneMatch(logged -> logged.contains("otification"));
            assertNoSecret();
        }
    }

    @Test
    void changeByTheControl_namesTheUserAndTheAddress() throws Exception {
        TestBroker.Setup setup =
                new TestBroker.Setup(folder).property("policy-store", "broker").policyRoles();
        setup.homes().policies(3, Policy.integrity("orders"));
        try (TestBroker broker = setup.start();
                ControlClient admin = new ControlClient(broker.uri(), "anna")) {
            String bills = "{\"pattern\": \"bills\", \"quality\": \"integrity\"}";

            admin.call("judgeImpact", 3L, bills);
            admin.call("setPolicy", 3L, bills);

            assertThat(AuditLines.of("policies-changed")).singleElement().satisfies(line -> {
                assertThat(line.get("by").asText()).isEqualTo("anna");
                assertThat(line.get("from").asText()).contains("127.0.0.1:");
                assertThat(line.get("version").asLong()).isEqualTo(4);
                assertThat(line.get("before").asLong()).isEqualTo(3);
                assertThat(line.get("policies").get(0).get("pattern").asText()).isEqualTo("bills");
            });
            assertNoSecret();
        }
    }

    @Test
    void revokedRecipient_isALineAndARejectionByCertificate() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        TestHomes homes = setup.homes();
        var bob = homes.createUser("bob");
        homes.policies(1, Policy.privacy("orders", List.of("bob")));
        try (TestBroker broker = setup.start()) {
            CertificateDesk.revoke(bob, homes.broker);

            await().until(() -> !AuditLines.of("trust-changed").isEmpty());
            assertThat(AuditLines.of("trust-changed").get(0).toString())
                    .contains("\"folder\":\"crl\",\"added\":[{\"name\":\"bob.crl\"}]");
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", TEXT))
                    .isNotNull();
            assertThat(AuditLines.of("message-rejected").get(0).get("reason").asText())
                    .isEqualTo("certificate");
        }
    }

    @Test
    void identityOfAUser_isALineWhenItIsLoaded() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        TestHomes homes = setup.homes();
        homes.createUser("alice");
        homes.policies(1, Policy.integrity("orders"));
        try (TestBroker broker = setup.start()) {
            Producers.CORE.send(broker, "orders", TEXT);

            await().until(() -> !AuditLines.of("keys-changed").isEmpty());
            assertThat(AuditLines.of("keys-changed").get(0).toString())
                    .contains("\"folder\":\"identities\",\"added\":[{\"name\":\"alice\"");
            assertNoSecret();
        }
    }
}
