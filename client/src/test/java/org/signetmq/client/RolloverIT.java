/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Message;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Cases;

/** A running consumer opens all messages while the keys of recipient and signer are replaced. */
final class RolloverIT extends BrokerTest {
    private Home home;
    private IdentityStore store;

    @BeforeEach
    void writePolicies() throws Exception {
        home = new Home(keys.folder);
        store = home.identityStore();
        new WholeFile(home.policies()).write(PolicyFile.bytes(keys.policies()), WholeFile.READABLE);
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void keysReplacedTwice_runningConsumerOpensAll_andNothingComesTwice(Client client) throws Exception {
        String address = address("privacy");
        try (SignetConnectionFactory factory = open(client);
                Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.CONTEXT.open(factory, address)) {
            Identity signer = load("bob");
            send(producer, address, "1", signer);
            assertThat(text(taking.take())).isEqualTo("1");
            send(producer, address, "2", signer); // queued before the renewal
            renew("alice", new NextKey.New(KeyAlgorithm.EC_P384));
            send(producer, address, "3", signer); // for the key that the consumer has not seen
            renew("alice", new NextKey.New(KeyAlgorithm.RSA_2048));
            renew("bob", new NextKey.New(null));
            send(producer, address, "4", signer); // signed by the former key
            send(producer, address, "5", load("bob"));

            for (String expected : List.of("2", "3", "4", "5")) {
                Message message = taking.take();
                assertThat(text(message)).isEqualTo(expected);
                assertThat(message.getJMSRedelivered()).as(expected).isFalse();
                assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                        .isEqualTo(Keys.SIGNER);
            }
        }
        assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isZero();
    }

    @Test
    void retiredKey_opensNoMore() throws Exception {
        String address = address("privacy");
        Identity former = load("alice");
        byte[] old = sealed(address, "old", load("bob"));
        renew("alice", new NextKey.New(null));
        store.retire("alice", KeyIdentifier.ofKey(former.certificate()).toString());

        try (SignetConnectionFactory factory = open(Client.CORE).withOpenFailuresThrown();
                Producer producer = new Producer(broker.core());
                Taking taking = Way.CONTEXT.open(factory, address)) {
            producer.send(address, old);

            assertThatThrownBy(taking::take)
                    .isInstanceOf(MessageOpenRuntimeException.class)
                    .hasMessageContaining("encrypted for other recipients than [alice]");
        }
    }

    private SignetConnectionFactory open(Client client) {
        try (Password password = Keys.password()) { // the factory loads later keys with its own copy
            return SignetConnectionFactory.open(broker.factory(client), keys.folder, "alice", password);
        }
    }

    private void send(Producer producer, String address, String text, Identity signer) throws Exception {
        producer.send(address, sealed(address, text, signer));
    }

    /** Sealed for the key that is current now, as a broker does that has the same certificates. */
    private byte[] sealed(String address, String text, Identity signer) {
        ClearMessage message = new ClearMessage(
                address,
                new ClearMessage.Body(BodyKind.JMS_TEXT, "application/octet-stream"),
                text.getBytes(UTF_8),
                null,
                Map.of());
        try (Sealer sealer = Sealer.create(home.recipientDirectory(), home.certificateTrust())) {
            return sealer.seal(message, keys.policies().find(address).orElseThrow(), signer);
        }
    }

    private Identity load(String name) {
        try (Password password = Keys.password()) {
            return store.load(name, password);
        }
    }

    private void renew(String name, NextKey key) {
        try (Password password = Keys.password()) {
            assertThat(store.renew(new IdentityRenewal(name, key, null, IdentityRenewal.DEFAULT_VALIDITY), password)
                            .name())
                    .isEqualTo(name);
        }
    }
}
