/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/** The code in docs/clients.md. */
final class ClientExamples {
    private ClientExamples() {}

    static String receive(ConnectionFactory provider, Path home, Path passwordFile) throws Exception {
        try (Password password = Password.fromFile(passwordFile);
                SignetConnectionFactory factory = SignetConnectionFactory.open(provider, home, "alice", password);
                JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders.eu"))) {
            TextMessage message = (TextMessage) consumer.receive(5000);
            return message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY) + " wrote " + message.getText();
        }
    }

    static String send(ConnectionFactory provider, Path home, Path passwordFile) throws Exception {
        try (Password password = Password.fromFile(passwordFile);
                SignetConnectionFactory factory = SignetConnectionFactory.open(provider, home, "bob", password);
                JMSContext context = factory.createContext()) {
            context.createProducer().setProperty("region", "eu").send(context.createQueue("orders.eu"), "hello");
            return "sent";
        }
    }

    static byte[] seal(Path home, Path passwordFile) throws Exception {
        Home files = new Home(home);
        PermissionCheck.forThisUser().home(files).requireNoFinding();
        PolicySet policies = PolicyFile.read(files.policies(), PartyValidator.acceptAll());
        try (Password password = Password.fromFile(passwordFile);
                Sealer sealer = Sealer.create(files.recipientDirectory(), files.certificateTrust())) {
            Identity bob = files.identityStore().load("bob", password);
            byte[] payload = "hello".getBytes(StandardCharsets.UTF_8);
            return sealer.seal(
                    ClearMessage.of("sensors.attic", ClearMessage.Body.TEXT, payload),
                    policies.find("sensors.attic").orElseThrow(),
                    bob);
        }
    }

    static String deadLetter(SignetConnectionFactory factory) throws Exception {
        SignetConnectionFactory deadLetters = factory.withDeadLettersOn(List.of("DLQ", "ExpiryQueue"));
        try (JMSContext context = deadLetters.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("DLQ"))) {
            TextMessage message = (TextMessage) consumer.receive(5000);
            return message.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY) + ": " + message.getText();
        }
    }

    static Opener opener(Path home, Path passwordFile) throws Exception {
        PolicySet policies =
                PolicySet.of(1, UnmatchedAddress.REJECT, List.of(Policy.privacy("sensors.#", List.of("alice"))));
        Home files = new Home(home);
        try (Password password = Password.fromFile(passwordFile)) {
            List<Identity> alice =
                    files.identityStore().loadAll("alice", password).all();
            return Opener.create(
                    new Opener.Keys(alice, files.recipientDirectory(), files.certificateTrust()), () -> policies);
        }
    }

    static String open(Opener opener, byte[] payload, String topic) {
        String address = topic.replaceAll("[.*]", "\\\\$0").replace('/', '.');
        OpenedMessage opened = opener.open(payload, address);
        return opened.signer().orElse("nobody") + " wrote " + new String(opened.payload(), StandardCharsets.UTF_8);
    }
}
