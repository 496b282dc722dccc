/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;

/** Messages that classical and post-quantum keys protect together, through a broker. */
final class RequiredKeysIT extends ProtectingBrokerTest {
    @Override
    TestBroker started(Path data) throws Exception {
        IdentityStore store = new Home(keys.folder).identityStore();
        try (Password password = Keys.password()) {
            for (String name : List.of("alice.pq", "bob.pq")) {
                var unused = store.signingOnly()
                        .create(new IdentityRequest(name, "CN=" + name, KeyAlgorithm.ML_DSA_65, null), password);
                var unusedToo = store.renewReceiving(
                        new IdentityRenewal(name, new NextKey.New(null), null, IdentityRenewal.DEFAULT_VALIDITY),
                        password);
            }
        }
        return super.started(data);
    }

    @ParameterizedTest
    @CsvSource({"both.integrity, CORE", "both.integrity, AMQP", "client.both.integrity, CORE"})
    void signedMessage_hasBothSignatures_andArrives(String quality, Client client) throws Exception {
        String address = address(quality);
        try (Password password = Keys.password();
                SignetConnectionFactory sealing =
                        SignetConnectionFactory.open(broker.factory(client), keys.folder, "bob", password);
                SignetConnectionFactory reading =
                        SignetConnectionFactory.open(broker.factory(client), keys.folder, "alice", password);
                JMSContext sender = (quality.startsWith("client") ? sealing : broker.factory(client)).createContext();
                JMSContext plain = broker.core().createContext();
                JMSContext reader = reading.createContext()) {
            sender.createProducer().send(sender.createQueue(address), "a text");

            Message stored = (Message) plain.createBrowser(plain.createQueue(address))
                    .getEnumeration()
                    .nextElement();
            EnvelopeDescription described = EnvelopeDescription.of(stored.getBody(byte[].class));
            assertThat(described.signatureIfVisible().orElseThrow().algorithm())
                    .isEqualTo("ECDSA-SHA-512 and ML-DSA-65");
            Message message = take(reader, address);
            assertThat(message.getBody(String.class)).isEqualTo("a text");
            assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                    .isEqualTo(Keys.SIGNER);
        }
    }
}
