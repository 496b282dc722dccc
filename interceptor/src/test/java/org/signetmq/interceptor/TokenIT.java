/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.SoftHsm;
import org.signetmq.testkit.Tier;

/** A broker whose key is in the real SoftHSM 2. */
final class TokenIT extends OneBroker {
    @Tag(Tier.LONG)
    @Test
    void tokenThatIsPulledOut_stopsSendsWithAReason_andGoesOnWhenItIsBack_alsoWithAnotherKey() throws Exception {
        SoftHsm token = SoftHsm.make(folder.resolve("tokens"), "signet");
        token.generate("hsm", certificates(homes.broker, homes.consumer));
        PolicySet policies = homes.policies(1, TestHomes.privacy("orders"));
        Path pin = Files.writeString(folder.resolve("pin"), SoftHsm.PIN + "\n");
        Files.setPosixFilePermissions(pin, PosixFilePermissions.fromString("rw-------"));
        setup.property("identity", "hsm").property("key-store", token.uri() + "&pin-source=file:" + pin);
        ScrapedBroker scraped = new ScrapedBroker();
        Path away = Files.createDirectory(folder.resolve("away"));
        TestBroker broker = start(scraped.in(setup), "orders");
        assertThat(broker.state().reason()).isNull();
        Producers.CORE.send(broker, "orders", "before");
        broker.assertNext("orders", "before");

        token.moveAway(away);
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "meanwhile"))
                .isInstanceOf(JMSException.class)
                .hasMessageNotContaining(folder.toString());
        broker.awaitState(PluginStatus.State.FAILED);
        assertThat(broker.state().reason()).contains("token 'signet'");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "not ready"))
                .isInstanceOf(JMSException.class);
        assertThat(findings(broker)).contains("messages are rejected: token 'signet'");
        assertThat(scraped.value("artemis_signet_state", "")).isEqualTo(2);
        assertThat(scraped.value("artemis_signet_rejected_total", "reason=\"not-ready\""))
                .isPositive();
        assertThat(broker.poll("orders")).isNull();

        token.moveBack(away);
        broker.awaitState(PluginStatus.State.READY);
        assertThat(scraped.value("artemis_signet_state", "")).isZero();
        Producers.CORE.send(broker, "orders", "after");
        broker.assertNext("orders", "after");

        takesAnotherKey(token, homes, policies, broker, broker.reader());
    }

    /** The broker signs with the new key once its home has the certificate first, and no message fails meanwhile. */
    private void takesAnotherKey(
            SoftHsm token, TestHomes homes, PolicySet policies, TestBroker broker, QueueReader reader)
            throws Exception {
        Path next = folder.resolve("next.pem");
        token.generate("another label", "hsm", List.of(), next);
        for (Home home : List.of(homes.consumer, homes.broker)) {
            for (Path place : List.of(home.trust(), home.recipients())) {
                Path file = place.resolve("hsm.pem");
                Path both = Files.writeString(place.resolve(".hsm"), Files.readString(next) + Files.readString(file));
                Files.move(both, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        X509Certificate made = Pem.readCertificates(next).get(0);
        Awaitility.await().until(() -> {
            Producers.CORE.send(broker, "orders", "next");
            OpenedMessage opened = homes.open(reader.nextBody("orders"), "orders", policies);
            assertThat(new String(opened.payload(), StandardCharsets.UTF_8)).isEqualTo("next");
            return Objects.requireNonNull(opened.verifiedSigner()).certificate().equals(made);
        });
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.READY);
    }

    private static String findings(TestBroker broker) throws Exception {
        try (ControlClient client = new ControlClient(broker)) {
            return client.call("listFindings").toString();
        }
    }

    private static Path[] certificates(Home... homes) {
        return Stream.of(homes)
                .flatMap(home -> Stream.of(home.recipients(), home.trust()))
                .map(place -> place.resolve("hsm.pem"))
                .toArray(Path[]::new);
    }
}
