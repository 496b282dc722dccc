/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** A broker whose key is in the real SoftHSM 2. */
final class TokenIT {
    @TempDir
    private Path folder;

    @Test
    @Timeout(90)
    void tokenThatIsPulledOut_stopsSendsWithAReason_andTheyGoOnWhenItIsBack() throws Exception {
        SoftHsmToken token = SoftHsmToken.make(folder);
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        TestHomes homes = setup.homes();
        token.generate("hsm", certificates(homes.broker, homes.consumer));
        PolicySet policies = homes.policies(1, Policy.privacy("orders", List.of(TestHomes.CONSUMER)));
        Path pin = Files.writeString(folder.resolve("pin"), SoftHsmToken.PIN + "\n");
        Files.setPosixFilePermissions(pin, PosixFilePermissions.fromString("rw-------"));
        setup.property("identity", "hsm").property("key-store", token.uri() + "&pin-source=file:" + pin);
        ScrapedBroker scraped = new ScrapedBroker();
        Path away = Files.createDirectory(folder.resolve("away"));
        try (TestBroker broker = scraped.in(setup).start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            assertThat(broker.state().reason()).isNull();
            Producers.CORE.send(broker, "orders", "before");
            assertThat(text(homes, reader.nextBody("orders"), policies)).isEqualTo("before");

            token.moveAway(away);
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "meanwhile"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageNotContaining(folder.toString());
            Awaitility.await()
                    .atMost(20, TimeUnit.SECONDS)
                    .until(() -> broker.state().state() == PluginStatus.State.FAILED);
            assertThat(broker.state().reason()).contains("token 'signet'");
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "not ready"))
                    .isInstanceOf(JMSException.class);
            assertThat(findings(broker)).contains("messages are rejected: token 'signet'");
            assertThat(scraped.value("artemis_signet_state", "")).isEqualTo(2);
            assertThat(scraped.value("artemis_signet_rejected_total", "reason=\"not-ready\""))
                    .isPositive();
            assertThat(reader.poll("orders")).isNull();

            token.moveBack(away);
            Awaitility.await()
                    .atMost(20, TimeUnit.SECONDS)
                    .until(() -> broker.state().state() == PluginStatus.State.READY);
            assertThat(scraped.value("artemis_signet_state", "")).isZero();
            Producers.CORE.send(broker, "orders", "after");
            assertThat(text(homes, reader.nextBody("orders"), policies)).isEqualTo("after");
        }
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

    private static String text(TestHomes homes, byte[] stored, PolicySet policies) {
        return new String(homes.open(stored, "orders", policies).payload(), StandardCharsets.UTF_8);
    }
}
