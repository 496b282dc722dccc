/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.file.PolicyFile;

/** A party that only the policies of the client's home know by its name, as recipient and as signer. */
final class PolicyCertificatesIT extends BrokerTest {
    @Override
    TestBroker started(@TempDir Path data) throws Exception {
        return new TestBroker(null, null); // without the plugin
    }

    private SignetConnectionFactory open(Map<String, String> certificates, Policy policy) throws Exception {
        PolicySet policies =
                PolicySet.of(1, PolicySet.Settings.DEFAULT.withCertificates(certificates), List.of(policy));
        Files.write(new Home(keys.folder).policies(), PolicyFile.bytes(policies));
        try (Password password = Keys.password()) {
            return SignetConnectionFactory.open(broker.core(), keys.folder, "alice", password);
        }
    }

    @Test
    void partyOfThePolicies_receives_andSigns_andWithoutThemNothingIsSent() throws Exception {
        String address = address("brought");
        Policy wanted = Policy.privacy(address, List.of("partner"));
        Policy policy = wanted.with(new Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT))
                .with(new Signing(
                        wanted.signing().algorithm(),
                        List.of("partner"),
                        wanted.signing().certificate(),
                        List.of()));
        String certificate = PolicyCertificates.text(List.of(new Home(keys.folder)
                .recipientDirectory()
                .find("alice")
                .orElseThrow()
                .certificate()));

        try (SignetConnectionFactory factory = open(Map.of("partner", certificate), policy);
                JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue(address);
            context.createProducer().send(queue, "for the partner");
            assertThat(context.createConsumer(queue).receiveBody(String.class, 10_000))
                    .isEqualTo("for the partner");
        }
        try (SignetConnectionFactory factory = open(Map.of(), policy);
                JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue(address);
            assertThatThrownBy(() -> context.createProducer().send(queue, "for nobody"))
                    .hasMessageContaining("partner");
        }
    }
}
