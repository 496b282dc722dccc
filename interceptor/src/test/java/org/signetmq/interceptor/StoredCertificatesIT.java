/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.Opener;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Certificates;
import org.signetmq.testkit.RecordingLogs;

/** Certificates of parties that the broker keeps with its policies. No recipient but the broker's has a file there. */
final class StoredCertificatesIT extends OneBroker {
    private static final String ORDERS = "orders";

    private Identity partner;

    @BeforeEach
    void knowThePartnerByTrustAlone() throws Exception {
        setup.property("policy-store", "broker");
        partner = partner("partner-home", "partner");
    }

    /** Makes an identity elsewhere whose certificate the broker trusts, and does not know as a party. */
    private Identity partner(String home, String name) throws Exception {
        Home theirs = new Home(folder.resolve(home));
        Identity made = homes.create(theirs, name);
        Files.copy(theirs.trust().resolve(name + ".pem"), homes.broker.trust().resolve(home + ".pem"));
        return made;
    }

    private static String text(Identity identity) {
        return PolicyCertificates.text(List.of(identity.certificate()));
    }

    private static PolicySet set(Map<String, String> certificates, Policy... policies) {
        return PolicySet.of(1, PolicySet.Settings.DEFAULT.withCertificates(certificates), List.of(policies));
    }

    private static Policy forPartner() {
        return Policy.privacy(ORDERS, List.of("partner"));
    }

    private static JsonNode put(ControlClient admin, TestBroker broker, PolicySet wanted) throws Exception {
        return admin.replace(broker.state().policies().version(), PolicyFile.format(wanted));
    }

    private static void assertChanged(JsonNode answer) {
        assertThat(answer.path("outcome").textValue()).as(answer.toString()).isEqualTo("changed");
    }

    private static String problems(JsonNode answer) {
        assertThat(answer.path("outcome").textValue()).as(answer.toString()).isEqualTo("rejected");
        List<String> lines = new ArrayList<>();
        answer.path("problems")
                .forEach(problem -> lines.add(problem.path("path").textValue() + ": "
                        + problem.path("message").textValue()));
        return String.join("\n", lines);
    }

    private String opened(TestBroker broker, Identity reader, PolicySet policies) throws Exception {
        byte[] sealed = broker.reader().nextBody(ORDERS);
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        try (Opener opener = Opener.create(
                new Opener.Keys(
                        List.of(reader), homes.consumer.recipientDirectory(), homes.consumer.certificateTrust()),
                () -> policies)) {
            payload.write(opener.open(sealed, ORDERS).payload());
        }
        return payload.toString(StandardCharsets.UTF_8);
    }

    @Test
    void party_isSealedForFromTheNextMessageOn_alsoAfterARestart_andHistoryBringsItBack() throws Exception {
        PolicySet policies = set(Map.of("partner", text(partner)), forPartner());
        TestBroker first = start(ORDERS);
        try (ControlClient admin = new ControlClient(first)) {
            assertThat(problems(put(admin, first, set(Map.of(), forPartner())))).contains("no certificate named");
            assertChanged(put(admin, first, policies));

            Producers.CORE.send(first, ORDERS, "one");
            assertThat(opened(first, partner, policies)).isEqualTo("one");
            assertThat(admin.call("listCertificates").toString()).contains("\"certificates/partner\"");
            assertThat(admin.call("listParties", 0).path("text").textValue())
                    .contains("{\"name\":\"partner\",\"source\":\"policies\"", "\"source\":\"home\"");

            assertThat(problems(put(admin, first, set(Map.of(), forPartner()))))
                    .startsWith("certificates.partner: the policy 'orders' needs it: no certificate named 'partner'");
            assertChanged(put(admin, first, set(Map.of())));
            Producers.CORE.send(first, ORDERS, "in clear");
            assertThat(first.reader().nextBody(ORDERS)).isNotEmpty();
            assertChanged(admin.replace(2, admin.document("listFormerPolicies", 1)));
            Producers.CORE.send(first, ORDERS, "two");
            assertThat(opened(first, partner, policies)).isEqualTo("two");
        }
        first.close();

        TestBroker second = start(new TestBroker.Setup(first.homes, first.data).property("policy-store", "broker"));
        assertThat(second.state().reason()).isNull();
        Producers.CORE.send(second, ORDERS, "three");
        assertThat(opened(second, partner, policies)).isEqualTo("three");
    }

    @Test
    void otherKey_isThatOfTheNextMessage_andTheFormerOneIsNot() throws Exception {
        PolicySet policies = set(Map.of("partner", text(partner)), forPartner());
        Identity next = partner("next-home", "partner");
        TestBroker broker = start(ORDERS);
        ControlClient admin = closing(new ControlClient(broker));
        assertChanged(put(admin, broker, policies));
        Producers.CORE.send(broker, ORDERS, "before");
        assertThat(opened(broker, partner, policies)).isEqualTo("before");

        assertChanged(put(admin, broker, set(Map.of("partner", text(next)), forPartner())));

        Producers.CORE.send(broker, ORDERS, "after");
        assertThat(opened(broker, next, policies)).isEqualTo("after");
        Producers.CORE.send(broker, ORDERS, "again");
        assertThatThrownBy(() -> opened(broker, partner, policies)).hasMessageContaining("recipient");
    }

    @Test
    void unfitCertificate_isRejectedWithItsName_andNothingChanges() throws Exception {
        var rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(1024);
        var weak = rsa.generateKeyPair();
        Identity other = partner("other-home", "other");
        X500Name name = Certificates.subject(partner.certificate());
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        Map<String, String> wrong = new LinkedHashMap<>();
        wrong.put("garbage", "AAAA");
        wrong.put("key", base64(SoftwareKey.exported(partner).getEncoded()));
        wrong.put(
                "weak",
                base64(Certificates.of(new X500Name("CN=weak"), weak.getPublic())
                        .usage(KeyUsage.keyEncipherment)
                        .identifier(new byte[] {1, 2})
                        .signed(weak.getPrivate())
                        .getEncoded()));
        wrong.put(
                "ended",
                base64(Certificates.of(name, partner.certificate().getPublicKey())
                        .during(Instant.now().minusSeconds(7200), Instant.now().minusSeconds(3600))
                        .usage(KeyUsage.keyAgreement)
                        .identifier(partner.keyIdentifier().bytes())
                        .signed(SoftwareKey.exported(partner))
                        .getEncoded()));
        wrong.put(
                "claimant",
                base64(Certificates.of(
                                new X500Name("CN=claimant"),
                                partner.certificate().getPublicKey())
                        .usage(KeyUsage.keyAgreement)
                        .identifier(broker.homes
                                .broker
                                .recipientDirectory()
                                .find("broker")
                                .orElseThrow()
                                .keyIdentifier()
                                .bytes())
                        .signed(SoftwareKey.exported(partner))
                        .getEncoded()));
        wrong.put("../partner", text(partner));
        wrong.put("two", PolicyCertificates.text(List.of(partner.certificate(), other.certificate())));
        wrong.put("consumer", text(partner));
        wrong.put("broker", text(partner));
        wrong.put("next", text(partner)); // fits
        homes.create(homes.broker, "loner");
        Files.delete(homes.broker.recipients().resolve("loner.pem"));
        wrong.put("loner", text(partner));

        String problems = problems(put(admin, broker, set(wrong)));

        assertThat(problems.lines())
                .containsExactlyInAnyOrder(
                        "certificates.garbage: no X.509 certificate (base64 of DER)",
                        "certificates.key: no X.509 certificate (base64 of DER)",
                        line(problems, "weak"),
                        line(problems, "ended"),
                        line(problems, "claimant"),
                        line(problems, "../partner"),
                        line(problems, "two"),
                        "certificates.consumer: the name is that of another key in the home of the broker, recipients/;"
                                + " choose another name",
                        "certificates.broker: the name is that of another key in the home of the broker, recipients/;"
                                + " choose another name",
                        "certificates.loner: the name is that of an identity of the broker; choose another name");
        assertThat(line(problems, "weak")).contains("1024");
        assertThat(line(problems, "ended")).contains("expired");
        assertThat(line(problems, "claimant")).contains("claim one key identifier");
        assertThat(line(problems, "../partner")).contains("must be 1 to 64 letters");
        assertThat(line(problems, "two")).contains("certificates of two parties");
        assertThat(broker.state().policies().version()).isZero();

        String tooLong = PolicyFile.format(set(Map.of("big", "A".repeat(2 << 20))));
        assertThat(problems(admin.replace(0, tooLong))).contains("certificates.big: not a certificate in base64");
        String twice = PolicyFile.format(set(Map.of("partner", text(partner))))
                .replaceFirst("(\"partner\" : \"[^\"]*\")", "$1, $1");
        assertThat(problems(admin.replace(0, twice))).contains("Duplicate field 'partner'");
        assertThat(broker.state().policies().version()).isZero();
    }

    private static String base64(byte[] der) {
        return Base64.getEncoder().encodeToString(der);
    }

    private static String line(String problems, String name) {
        return problems.lines()
                .filter(line -> line.startsWith("certificates." + name + ": "))
                .findFirst()
                .orElse("no line of " + name);
    }

    @Test
    void namesake_thatWouldTakeTheNameOfAPolicysParty_isRejected() throws Exception {
        Identity namesake = partner("namesake-home", "partner"); // the same distinguished name with another key
        Policy byName = Policy.privacy(ORDERS, List.of("CN=partner,O=Signet tests"));
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        assertChanged(put(admin, broker, set(Map.of("partner", text(partner)), byName)));

        assertThat(problems(
                        put(admin, broker, set(Map.of("partner", text(partner), "mallory", text(namesake)), byName))))
                .contains("the policy 'orders' needs it", "one distinguished name but different keys");
    }

    @Test
    void certificateThatTheBrokerDoesNotTrust_isStoredWithAWarning_andNoPolicyTakesIt() throws Exception {
        Identity stranger = homes.create(new Home(folder.resolve("stranger-home")), "stranger");
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));

        JsonNode answer = put(admin, broker, set(Map.of("stranger", text(stranger))));

        assertChanged(answer);
        assertThat(answer.path("warnings").path(0).textValue())
                .startsWith("certificate 'stranger': messages for it are rejected: 'stranger' cannot be used:");
        assertThat(problems(put(
                        admin,
                        broker,
                        set(Map.of("stranger", text(stranger)), Policy.privacy(ORDERS, List.of("stranger"))))))
                .contains("'stranger' cannot be used");
    }

    @Test
    void userWithoutTheRight_putsNoCertificateIntoTheStore_andIsAudited_andEachChangeIs() throws Exception {
        TestBroker broker = start(setup.secured().policyRoles());
        ControlClient victor = closing(new ControlClient(broker.uri(), "victor"));
        ControlClient anna = closing(new ControlClient(broker.uri(), "anna"));
        String document = PolicyFile.format(set(Map.of("partner", text(partner))));

        assertThatThrownBy(() -> victor.replace(0, document)).hasMessageContaining("does not have permission");
        String upload = anna.upload(0, document);
        assertThatThrownBy(() -> victor.call("replacePolicies", upload))
                .hasMessageContaining("does not have permission");

        assertThat(broker.state().policies().version()).isZero();
        assertThat(AuditLines.of("change-refused")).singleElement().satisfies(line -> {
            assertThat(line.path("by").textValue()).isEqualTo("victor");
            assertThat(line.path("operation").textValue()).isEqualTo("beginPolicies");
        });
        RecordingLogs.forget();
        assertChanged(anna.call("replacePolicies", upload));
        assertThat(AuditLines.of("keys-changed")).isEmpty();
        assertThat(AuditLines.of("policies-changed")).singleElement().satisfies(line -> {
            assertThat(line.path("by").textValue()).isEqualTo("anna");
            JsonNode entry = line.path("certificates").path(0);
            assertThat(entry.path("name").textValue()).isEqualTo("partner");
            assertThat(entry.path("after").path("ski").textValue())
                    .isEqualTo(partner.keyIdentifier().toString());
            assertThat(line.toString()).doesNotContain(text(partner).substring(0, 40));
        });
    }

    @Test
    void policyFile_bringsCertificatesToo_whereverTheyStand_andABadOneChangesNothing() throws Exception {
        setup.property("policy-store", "file");
        PolicySet policies = homes.policies(set(Map.of("partner", text(partner)), forPartner()));
        String document = Files.readString(homes.broker.policies());
        String certificates = "\"certificates\" : {\n    \"partner\" : \"" + text(partner) + "\"\n  }";
        assertThat(document).contains(certificates);
        Files.writeString(
                homes.broker.policies(),
                document.replace(certificates + ",\n", "").replaceFirst("}\\s*$", "") + ", " + certificates + "}");
        TestBroker broker = start(ORDERS);
        assertThat(broker.state().reason()).isNull();

        Producers.CORE.send(broker, ORDERS, "one");
        assertThat(opened(broker, partner, policies)).isEqualTo("one");

        homes.policies(
                PolicySet.of(2, policies.settings().withCertificates(Map.of("partner", "AAAA")), policies.policies()));
        await().untilAsserted(() ->
                assertThat(broker.state().policies().problem()).contains("certificates.partner: no X.509 certificate"));
        assertThat(broker.state().policies().version()).isEqualTo(1);
        Producers.CORE.send(broker, ORDERS, "two");
        assertThat(opened(broker, partner, policies)).isEqualTo("two");
    }
}
