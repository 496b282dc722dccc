/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.keystore.external.KeyStoreUri;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.OpenBao;
import org.signetmq.testkit.Tier;

/** A broker whose key is in the real OpenBao. */
final class TransitIT extends OneBroker {
    @Tag(Tier.LONG)
    @Test
    void serviceThatStops_stopsSendsWithAReason_andTheBrokerGoesOnWhenItIsBack() throws Exception {
        try (OpenBao server = OpenBao.start(Files.createDirectory(folder.resolve("openbao")))) {
            server.makeKey("orders", "ecdsa-p256");
            String token = server.token("transit/keys/orders read", "transit/sign/orders update");
            Path file = Files.createFile(
                    folder.resolve("token"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, token);
            String uri = "transit:" + server.tlsAddress() + "/transit/orders?token-file=" + file + "&ca-file="
                    + server.caFile();
            certify(uri);
            PolicySet policies = homes.policies(1, TestHomes.privacy("orders"));
            TestBroker broker = start(setup.property("identity", "vault").property("key-store", uri), "orders");
            assertThat(broker.state().reason()).isNull();
            Producers.CORE.send(broker, "orders", "before");
            OpenedMessage opened = homes.open(broker.reader().nextBody("orders"), "orders", policies);
            assertThat(Objects.requireNonNull(opened.verifiedSigner()).name()).isEqualTo("CN=vault");

            server.stop();
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "meanwhile"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageNotContaining(folder.toString());
            broker.awaitState(PluginStatus.State.FAILED);
            assertThat(broker.state().reason()).contains("key 'orders': it cannot be reached");
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "not ready"))
                    .isInstanceOf(JMSException.class);

            server.startAgain();
            broker.awaitState(PluginStatus.State.READY);
            Producers.CORE.send(broker, "orders", "after");
            broker.assertNext("orders", "after");

            server.call("POST", "auth/token/revoke", Map.of("token", token));
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "revoked"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageNotContaining(token);
            broker.awaitState(PluginStatus.State.FAILED);
            assertThat(broker.state().reason()).contains("it answers 403").doesNotContain(token);

            Files.writeString(file, server.token("transit/keys/orders read", "transit/sign/orders update"));
            broker.awaitState(PluginStatus.State.READY);
            Producers.CORE.send(broker, "orders", "again");
            broker.assertNext("orders", "again");
        }
    }

    /** Puts a certificate that the key itself has signed into the homes. */
    private void certify(String uri) throws Exception {
        String pem = Pem.certificatePem(KeyStoreUri.parse(uri)
                .keys(() -> {
                    throw new AssertionError("a key service needs no PIN");
                })
                .requested("vault", homes.broker)
                .certificate());
        for (Home home : List.of(homes.broker, homes.consumer)) {
            Files.writeString(home.recipients().resolve("vault.pem"), pem);
            Files.writeString(home.trust().resolve("vault.pem"), pem);
        }
    }
}
