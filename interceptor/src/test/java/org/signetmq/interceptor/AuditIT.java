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
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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
final class AuditIT extends OneBroker {
    private static final String TEXT = "never to be seen in a log, 0123456789 ".repeat(4);

    private static Policy audited(QualityOfProtection quality) {
        return EveryProtocolIT.policy("orders", quality).with(Policy.Acceptance.DEFAULT.with(MessageAudit.EACH));
    }

    /** The fields of the line have these texts. */
    private static void assertFields(JsonNode line, Map<String, String> expected) {
        expected.forEach(
                (name, text) -> assertThat(line.path(name).asText()).as(name).isEqualTo(text));
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
        setup.secured();
        homes.policies(17, audited(QualityOfProtection.PRIVACY));
        TestBroker broker = start("orders");
        producer.send(broker, "orders", TEXT);

        assertLine(broker.nextBody("orders"));
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "STOMP_TEXT"})
    void eachLargeMessage_hasOneLine(Producers producer) throws Exception {
        setup.secured();
        homes.policies(17, audited(QualityOfProtection.CONFIDENTIALITY));
        TestBroker broker = start("orders");
        producer.send(broker, "orders", LargeBodies.TEXT);

        assertLine(broker.nextBody("orders"));
    }

    /** The broker cannot convert it, so the plugin seals it before. */
    @Test
    void amqpMessageThatIsSealedEarly_hasOneLine() throws Exception {
        setup.secured();
        homes.policies(17, audited(QualityOfProtection.PRIVACY));
        TestBroker broker = start("orders");
        JmsClient.AMQP.send(broker, "orders", session -> {
            StreamMessage message = session.createStreamMessage();
            message.writeBytes(LargeBodies.TEXT.getBytes(StandardCharsets.UTF_8));
            return message;
        });

        assertLine(broker.nextBody("orders"));
    }

    private void assertLine(byte[] envelope) {
        OpenedMessage opened = homes.open(envelope, "orders");
        assertThat(AuditLines.of("message-sealed")).singleElement().satisfies(line -> {
            assertFields(
                    line,
                    Map.of(
                            "message-id",
                                    opened.entityIfProtected().orElseThrow().messageId(),
                            "sha256",
                                    HexFormat.of()
                                            .formatHex(CryptoProviders.digest("SHA-256")
                                                    .digest(envelope)),
                            "address", "orders",
                            "sender", "alice",
                            "policy", "orders@17"));
            assertThat(line.get("recipients").toString()).isEqualTo("[\"" + TestHomes.CONSUMER + "\"]");
        });
        assertNoSecret();
    }

    @Test
    void messagesOfOtherPolicies_haveNoLine() throws Exception {
        setup.secured();
        homes.policies(17, EveryProtocolIT.policy("orders", QualityOfProtection.PRIVACY));
        TestBroker broker = start();
        Producers.CORE.send(broker, "orders", TEXT);
        Producers.CORE.send(broker, "open", TEXT);

        assertThat(broker.sealed()).isEqualTo(1);
        assertThat(AuditLines.of("message-sealed")).isEmpty();
        assertThat(AuditLines.of("started").get(0).get("version").asLong()).isEqualTo(17);
    }

    @Test
    void rejectedMessages_haveTheirReasonsAndSenders() throws Exception {
        setup.secured();
        homes.policies(PolicySet.of(
                1, UnmatchedAddress.REJECT, List.of(LargeBodies.sealedByClients(TestHomes.privacy("orders")))));
        TestBroker broker = start();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", TEXT))
                    .isNotNull();
            assertThatThrownBy(() -> Producers.AMQP.send(broker, "open", TEXT)).isNotNull();
        }

        assertThat(AuditLines.of("message-rejected"))
                .hasSize(2)
                .anySatisfy(line -> assertFields(line, Map.of("reason", "not-sealed", "address", "orders")))
                .anySatisfy(line ->
                        assertFields(line, Map.of("reason", "no-policy", "text", "no policy covers the address")))
                .allSatisfy(line -> {
                    assertFields(line, Map.of("user", "alice", "left-out", "0"));
                    assertThat(line.get("from").asText()).contains("127.0.0.1:");
                });
        assertNoSecret();
    }

    @Test
    void senderWithoutPermission_isNamedByTheBroker() throws Exception {
        setup.secured();
        homes.policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start();
        Connection connection = closing(Producers.core(broker).createConnection("mallory", "secret"));
        Session session = closing(connection.createSession());
        assertThatThrownBy(() ->
                        session.createProducer(session.createQueue("orders")).send(session.createTextMessage(TEXT)))
                .isNotNull();

        assertThat(AuditLines.of("message-rejected"))
                .singleElement()
                .satisfies(line -> assertFields(line, Map.of("reason", "no-permission", "user", "mallory")));
        assertNoSecret();
    }

    @Test
    void changesOfTheHome_areLinesAndNotifications() throws Exception {
        setup.secured();
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start();
        Connection connection = closing(Producers.core(broker).createConnection());
        Session session = closing(connection.createSession());
        MessageConsumer consumer = closing(
                session.createConsumer(session.createTopic("activemq.notifications"), "audit_event IS NOT NULL"));
        connection.start();

        homes.policies(2, TestHomes.privacy("orders"));

        Message changed = consumer.receive(180_000);
        assertThat(changed.getStringProperty("_AMQ_NotifType")).isEqualTo("SIGNET_POLICIES_CHANGED");
        assertThat(changed.getStringProperty("audit_by")).isEqualTo("file");
        assertThat(changed.getLongProperty("audit_version")).isEqualTo(2);
        assertThat(changed.getLongProperty("audit_before")).isEqualTo(1);
        JsonNode line = AuditLines.of("policies-changed").get(0);
        assertThat(line.at("/policies/0/before/quality").asText()).isEqualTo("integrity");
        assertThat(line.at("/policies/0/after/quality").asText()).isEqualTo("privacy");

        var bob = homes.create(homes.consumer, "bob");
        TestHomes.share(homes.consumer, "bob", homes.broker);

        await().until(() -> AuditLines.of("keys-changed").size()
                        + AuditLines.of("trust-changed").size()
                == 2);
        JsonNode added = AuditLines.of("keys-changed").get(0).get("added").get(0);
        assertThat(AuditLines.of("keys-changed").get(0).get("folder").asText()).isEqualTo("recipients");
        String until = bob.certificate().getNotAfter().toInstant().toString();
        String key = KeyIdentifier.ofKey(bob.certificate()).toString();
        assertFields(added, Map.of("name", "bob", "ski", key, "until", until));
        assertThat(added.get("subject").asText()).contains("CN=bob");
        assertThat(AuditLines.of("trust-changed").get(0).get("folder").asText()).isEqualTo("trust");

        Files.copy(
                homes.consumer.recipients().resolve(TestHomes.CONSUMER + ".pem"),
                homes.broker.recipients().resolve("bob.pem"),
                StandardCopyOption.REPLACE_EXISTING);

        await().until(() -> AuditLines.of("keys-changed").size() == 2);
        assertThat(AuditLines.of("keys-changed")
                        .get(1)
                        .at("/replaced/0/before/ski")
                        .asText())
                .isEqualTo(key);

        assertThat(RecordingLogs.linesOfBroker()).noneMatch(logged -> logged.contains("otification"));
        assertNoSecret();
    }

    @Test
    void changeByTheControl_namesTheUserAndTheAddress() throws Exception {
        setup.property("policy-store", "broker").policyRoles();
        homes.policies(3, Policy.integrity("orders"));
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker.uri(), "anna"));
        String bills = "{\"pattern\": \"bills\", \"quality\": \"integrity\"}";

        admin.call("judgeImpact", 3L, bills);
        admin.call("setPolicy", 3L, bills);

        assertThat(AuditLines.of("policies-changed")).singleElement().satisfies(line -> {
            assertFields(line, Map.of("by", "anna", "version", "4", "before", "3"));
            assertThat(line.get("from").asText()).contains("127.0.0.1:");
            assertThat(line.get("policies").get(0).get("pattern").asText()).isEqualTo("bills");
        });
        assertNoSecret();
    }

    @Test
    void revokedRecipient_isALineAndARejectionByCertificate() throws Exception {
        setup.secured();
        var bob = homes.createUser("bob");
        homes.policies(1, Policy.privacy("orders", List.of("bob")));
        TestBroker broker = start();
        CertificateDesk.revoke(bob, homes.broker);

        await().until(() -> !AuditLines.of("trust-changed").isEmpty());
        assertThat(AuditLines.of("trust-changed").get(0).toString())
                .contains("\"folder\":\"crl\",\"added\":[{\"name\":\"bob.crl\"}]");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", TEXT)).isNotNull();
        assertThat(AuditLines.of("message-rejected").get(0).get("reason").asText())
                .isEqualTo("certificate");
    }

    @Test
    void identityOfAUser_isALineWhenItIsLoaded() throws Exception {
        setup.secured();
        homes.createUser("alice");
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start();
        Producers.CORE.send(broker, "orders", TEXT);

        await().until(() -> !AuditLines.of("keys-changed").isEmpty());
        assertThat(AuditLines.of("keys-changed").get(0).toString())
                .contains("\"folder\":\"identities\",\"added\":[{\"name\":\"alice\"");
        assertNoSecret();
    }
}
