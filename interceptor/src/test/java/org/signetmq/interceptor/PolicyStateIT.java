/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** The plugin does not call itself ready while it rejects messages of a policy, and says which policy and why. */
final class PolicyStateIT extends OneBroker {
    private static Policy signedBy(String pattern, String... signers) {
        return Policy.integrity(pattern)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of(signers), CertificateInclusion.INCLUDED));
    }

    private static Policy vouchedForBy(String pattern, String... brokers) {
        return Policy.integrity(pattern)
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of(brokers)));
    }

    private static void awaitFinding(TestBroker broker, String pattern, String what) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.state().policies().findings())
                        .anySatisfy(finding -> {
                            assertThat(finding.pattern()).isEqualTo(pattern);
                            assertThat(finding.problem()).contains(what);
                            assertThat(finding.remedy()).isNotBlank();
                        }));
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.DEGRADED);
        assertThat(broker.state().reason()).isNotNull();
    }

    private static void awaitReady(TestBroker broker) {
        broker.awaitState(PluginStatus.State.READY);
        assertThat(broker.state().policies().findings()).isEmpty();
        assertThat(broker.state().reason()).isNull();
    }

    @Test
    void revokedCertificateOfTheBroker_showsOnEveryPolicyThatSigns_andOnNoOther() throws Exception {
        homes.policies(
                1,
                TestHomes.privacy("orders"),
                Policy.integrity("prices"),
                Policy.confidentiality("cards", List.of(TestHomes.CONSUMER), KeyLimits.FRESH_KEY));
        TestBroker broker = start();
        awaitReady(broker);

        CertificateDesk.revoke(homes.brokerIdentity(), homes.broker);

        awaitFinding(broker, "orders", "'broker' cannot sign");
        awaitFinding(broker, "prices", "revoked on");
        assertThat(broker.state().policies().findings())
                .noneMatch(finding -> finding.pattern().equals("cards"));
        assertThat(broker.state().reason()).contains("2 of 3 policies");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("revoked");
        Producers.CORE.send(broker, "cards", "hello");

        Files.delete(homes.broker.crl().resolve("broker.crl"));
        awaitReady(broker);
        Producers.CORE.send(broker, "orders", "hello");
    }

    @Tag(Tier.LONG)
    @Test
    void certificateOfTheRecipientThatEndsWhileTheBrokerRuns_shows() throws Exception {
        Identity consumer = homes.create(homes.broker, "soon");
        CertificateDesk.endAt(Instant.now().plusSeconds(4), consumer, homes.broker);
        homes.policies(1, Policy.privacy("orders", List.of("soon")));
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.READY);

        awaitFinding(broker, "orders", "expired on");

        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello")).isInstanceOf(JMSException.class);
        assertThat(RecordingLogs.lines())
                .filteredOn(line -> line.startsWith("WARN Signet cannot apply a policy: orders: "))
                .hasSize(1);
    }

    @Test
    void certificateOfTheRecipientThatIsGone_shows_untilItIsBack() throws Exception {
        homes.policies(1, TestHomes.privacy("orders"), Policy.integrity("prices"));
        Path certificate = homes.broker.recipients().resolve("consumer.pem");
        Path aside = folder.resolve("consumer.pem");
        TestBroker broker = start();
        Files.move(certificate, aside);

        awaitFinding(broker, "orders", "no certificate named 'consumer'");
        assertThat(broker.state().policies().findings())
                .singleElement()
                .extracting(PolicyFinding::remedy)
                .asString()
                .contains(homes.broker.recipients().toString());

        Files.move(aside, certificate, StandardCopyOption.ATOMIC_MOVE);
        awaitReady(broker);
    }

    @Test
    void revokedCertificateOfTheRecipient_shows() throws Exception {
        Identity consumer = homes.create(homes.broker, "other");
        homes.policies(1, Policy.privacy("orders", List.of("other")));
        TestBroker broker = start();
        CertificateDesk.revoke(consumer, homes.broker);

        awaitFinding(broker, "orders", "revoked on");
    }

    @Test
    void namedBrokerOrSignerWhoseCertificateIsGone_shows() throws Exception {
        homes.createUser("carol");
        homes.createUser("dave");
        homes.policies(1, vouchedForBy("orders", "carol"), signedBy("prices", "broker", "dave"));
        TestBroker broker = start();
        awaitReady(broker);

        Files.delete(homes.broker.recipients().resolve("carol.pem"));
        Files.delete(homes.broker.recipients().resolve("dave.pem"));

        awaitFinding(broker, "orders", "a broker that matches no signature: no certificate named 'carol'");
        awaitFinding(broker, "prices", "a signer that matches no signature: no certificate named 'dave'");
    }

    @Test
    void signersWithoutAnIdentityOfTheHome_show_unlessProducersSeal() throws Exception {
        homes.createUser("carol");
        Files.delete(homes.broker.identities().resolve("carol.p12"));
        Policy byProducers =
                signedBy("feeds", "carol").with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT));
        homes.policies(1, signedBy("orders", "carol"), byProducers, signedBy("prices", "broker"));
        TestBroker broker = start();
        awaitFinding(broker, "orders", "is one of its signers");
        assertThat(broker.state().policies().findings()).hasSize(1);
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello")).isInstanceOf(JMSException.class);
        Producers.CORE.send(broker, "prices", "hello");
    }

    @Test
    void signersWithAnIdentityOfAUser_areReady_withAWarningThatTheBrokerMayNotSign() throws Exception {
        homes.createUser("carol");
        homes.policies(1, signedBy("orders", "carol"), signedBy("prices", "carol", "broker"));
        TestBroker broker = start();
        PluginStatus state = broker.state();

        assertThat(state.state()).isEqualTo(PluginStatus.State.READY);
        assertThat(state.policies().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.isFailure()).isFalse();
            assertThat(finding.pattern()).isEqualTo("orders");
            assertThat(finding.problem()).contains("messages in clear are rejected, except those of users");
            assertThat(finding.remedy()).contains("add 'broker' with signet policy add-signer");
        });
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello")).isInstanceOf(JMSException.class);
        Producers.CORE.send(broker, "prices", "hello");
    }

    @Test
    void management_tellsPatternCauseAndRemedy() throws Exception {
        homes.policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start();
        Files.delete(homes.broker.recipients().resolve("consumer.pem"));
        awaitFinding(broker, "orders", "no certificate");

        SignetControlMBean control =
                (SignetControlMBean) broker.server().getManagementService().getUntypedControl("signet");

        assertThat(control.getState()).isEqualTo("DEGRADED");
        assertThat(control.getReason()).contains("1 of 1 policies");
        assertThat(control.getPolicyFindings()).hasDimensions(1, 4);
        assertThat(control.getPolicyFindings()[0]).startsWith("orders").endsWith("FAILURE");
    }
}
