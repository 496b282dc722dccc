/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.status.PluginStatus.State;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Cases;

/** Recovery recipients in a running broker. */
final class RecoveryIT {
    private static TestBroker broker;
    private static TestHomes homes;
    private static Identity vault;
    private static ControlClient admin;
    private static Path aside;

    private PolicySet policies = PolicySet.EMPTY;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).property("policy-store", "broker");
        homes = setup.homes();
        vault = homes.create(homes.broker, "vault");
        homes.create(homes.broker, "safe");
        CertificateDesk.endAt(
                Instant.now().plusSeconds(20 * 24 * 3600), homes.create(homes.broker, "ending"), homes.broker);
        aside = folder.resolve("aside.pem");
        broker = setup.start();
        admin = new ControlClient(broker);
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        broker.close();
    }

    /** Every test begins with the same policies and the recovery recipient {@code vault}. */
    @BeforeEach
    void policies() throws Exception {
        PolicySet wanted = PolicySet.of(
                1,
                PolicySet.Settings.DEFAULT.withRecovery(List.of("vault")),
                List.of(
                        TestHomes.privacy("privacy.#"),
                        Policy.confidentiality("each.#", List.of(TestHomes.CONSUMER), KeyLimits.FRESH_KEY),
                        Policy.confidentiality("shared.#", List.of(TestHomes.CONSUMER), KeyLimits.DEFAULT),
                        LargeBodies.sealedByClients(TestHomes.privacy("client")),
                        Policy.integrity("signed")));
        assertThat(admin.replace(version(), PolicyFile.format(wanted))
                        .path("outcome")
                        .textValue())
                .isIn("changed", "unchanged");
        policies = wanted;
    }

    private static long version() {
        return broker.state().policies().version();
    }

    private static JsonNode setRecovery(String names) throws Exception {
        return admin.set(version(), "recovery", names);
    }

    private byte[] opened(byte[] sealed, String address) throws Exception {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        try (Opener opener = Opener.create(
                new Opener.Keys(List.of(vault), homes.broker.recipientDirectory(), homes.broker.certificateTrust()),
                () -> policies)) {
            var unused = opener.openSegments(new ByteArrayInputStream(sealed), address)
                    .transferTo(payload, written -> {});
        }
        return payload.toByteArray();
    }

    @ParameterizedTest
    @Cases({"each", "privacy", "shared"})
    void messageThatTheBrokerSeals_opensByTheRecoveryKey_inMemoryAndInSegments(String quality) throws Exception {
        for (String text : List.of("a payload", LargeBodies.TEXT)) {
            String address = quality + ".length" + text.length();
            try (QueueReader reader = new QueueReader(broker).queue(address)) {
                Producers.CORE.send(broker, address, text);

                assertThat(opened(reader.nextBody(address), address)).isEqualTo(Producers.utf8(text));
            }
        }
    }

    @Test
    void messageThatAClientSeals_mustBeForTheRecoveryRecipient() throws Exception {
        byte[] without = sealedByClient(PolicySet.of(1, UnmatchedAddress.PASS, policies.policies()));
        byte[] with = sealedByClient(policies);

        broker.createQueue("client");
        assertThatThrownBy(() -> sendBytes(without)).hasMessageContaining("rejected");
        sendBytes(with);

        assertThat(opened(broker.nextBody("client"), "client")).isEqualTo(Producers.utf8("by a client"));
    }

    private static byte[] sealedByClient(PolicySet set) {
        ClearMessage message = ClearMessage.of("client", ClearMessage.Body.BYTES, Producers.utf8("by a client"));
        return homes.sealed(message, set, homes.brokerIdentity());
    }

    private static void sendBytes(byte[] body) throws Exception {
        Producers.jms(Producers.core(broker), "client", Producers.bytes(body));
    }

    @Test
    void recoveryWithoutItsCertificate_isAFindingOfEachPolicyThatEncrypts_andRejectsTheirMessages() throws Exception {
        Path certificate = homes.broker.recipients().resolve("vault.pem");
        Files.move(certificate, aside);
        try {
            broker.awaitState(State.DEGRADED);

            assertThat(broker.state().policies().findings())
                    .allSatisfy(finding -> {
                        assertThat(finding.problem()).startsWith("messages are rejected: recovery recipient: ");
                        assertThat(finding.remedy()).contains("signet policy recovery");
                    })
                    .extracting(PolicyFinding::pattern)
                    .containsExactly("privacy.#", "each.#", "shared.#", "client");
            assertThat(broker.state().reason()).contains("4 of 5 policies");
            assertThatThrownBy(() -> Producers.CORE.send(broker, "shared.gone", "a payload"))
                    .hasMessageContaining("recipient 'vault'");
            Producers.CORE.send(broker, "signed", "a payload");
        } finally {
            Files.move(aside, certificate, StandardCopyOption.ATOMIC_MOVE);
        }
        broker.awaitState(State.READY);
        Producers.CORE.send(broker, "shared.back", "a payload");
    }

    @Test
    void setRecovery_changesTheSet_andTheRecipientsOfTheNextMessage() throws Exception {
        broker.createQueue("shared.change");
        Producers.CORE.send(broker, "shared.change", "before");

        JsonNode answer = setRecovery("[\"safe\"]");

        assertThat(answer.path("outcome").textValue()).isEqualTo("changed");
        assertThat(setRecovery("[\"safe\"]").path("outcome").textValue()).isEqualTo("unchanged");
        Producers.CORE.send(broker, "shared.change", "after");
        assertThat(opened(broker.nextBody("shared.change"), "shared.change")).isEqualTo(Producers.utf8("before"));
        byte[] after = broker.nextBody("shared.change");
        assertThatThrownBy(() -> opened(after, "shared.change")).isInstanceOf(RuntimeException.class);
        JsonNode explained = admin.call("queryPolicy", "shared.change");
        assertThat(explained.path("recovery")).extracting(JsonNode::textValue).containsExactly("safe");
        assertThat(explained.path("definition").path("recipients"))
                .extracting(JsonNode::textValue)
                .containsExactly(TestHomes.CONSUMER, "safe");
        assertThat(admin.call("queryPolicy", "signed").has("recovery")).isFalse();
        assertThat(admin.call("listAudit", 20).toString())
                .contains("\"recovery\":{\"before\":\"vault\",\"after\":\"safe\"}");
    }

    @Test
    void setRecovery_ofAnEndingCertificate_warns_andItsDaysAreShown() throws Exception {
        JsonNode answer = setRecovery("[\"vault\",\"ending\"]");

        assertThat(answer.path("warnings").toString()).contains("recipient 'ending': its certificate");
        assertThat(admin.call("listCertificates").toString())
                .contains("\"name\":\"recipients/ending\"", "\"name\":\"recipients/vault\"");
        assertThat(admin.call("listFindings").toString()).contains("the certificate recipients/'ending'");
        setRecovery("[]");
        assertThat(admin.call("listCertificates").toString()).doesNotContain("recipients/ending", "recipients/vault");
    }

    @Test
    void recoveryThatCannotBe_isRejectedWithItsPlaces_andChangesNothing() throws Exception {
        long before = version();

        JsonNode unknown = setRecovery("[\"vault\",\"stranger\"]");

        assertThat(unknown.path("outcome").textValue()).isEqualTo("rejected");
        assertThat(unknown.path("problems").findValuesAsText("path")).containsExactly("recovery[1]");
        for (String hostile : List.of(
                "",
                "{}",
                "null",
                "[1]",
                "[\"\"]",
                "[[]]",
                "[\"a\",\"a\"]",
                "[\"a\"",
                "[1,2,3,4,5,6,7,8,9]",
                "\"a\"",
                "[".repeat(3000),
                "[\"" + "a".repeat(40_000) + "\"]")) {
            assertThat(setRecovery(hostile).path("outcome").textValue())
                    .as(hostile.length() > 40 ? hostile.substring(0, 40) : hostile)
                    .isEqualTo("rejected");
        }
        assertThat(admin.set(before + 7, "recovery", "[]").path("outcome").textValue())
                .isEqualTo("stale");
        assertThat(version()).isEqualTo(before);
    }

    /** An administrator must be able to change policies, and to add a successor, while a certificate is gone. */
    @Test
    void recoveryWithoutItsCertificate_doesNotKeepOtherChangesOut() throws Exception {
        Path certificate = homes.broker.recipients().resolve("vault.pem");
        Files.move(certificate, aside);
        try {
            broker.awaitState(State.DEGRADED);

            JsonNode policy = admin.call(
                    "setPolicy",
                    version(),
                    "{\"pattern\": \"late\", \"quality\": \"privacy\", \"recipients\": [\"consumer\"]}");
            JsonNode successor = setRecovery("[\"vault\",\"safe\"]");

            assertThat(policy.path("outcome").textValue()).isEqualTo("changed");
            assertThat(successor.path("outcome").textValue()).isEqualTo("changed");
        } finally {
            Files.move(aside, certificate, StandardCopyOption.ATOMIC_MOVE);
        }
        broker.awaitState(State.READY);
    }
}
