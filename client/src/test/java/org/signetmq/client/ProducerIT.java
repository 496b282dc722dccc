/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.keystore.home.Password;

/** Producers that seal what they send. */
final class ProducerIT extends ProtectingBrokerTest {
    private final Password password = Keys.password();

    private SignetConnectionFactory sealing(Client client) {
        return SignetConnectionFactory.open(broker.factory(client), keys.folder, "bob", password);
    }

    @AfterAll
    void closePassword() {
        password.close();
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void text_toAnAddressOfClients_arrivesSealedByItsProducer(Client client) throws Exception {
        String address = address("client.privacy");
        try (SignetConnectionFactory factory = sealing(client);
                JMSContext context = factory.createContext();
                JMSContext reading = signet(client).createContext();
                JMSContext plain = broker.core().createContext()) {
            context.createProducer().send(context.createQueue(address), "a secret");

            Message stored = (Message)
                    plain.createBrowser(plain.createQueue(address)).getEnumeration().nextElement();
            assertThat(new String(stored.getBody(byte[].class), ISO_8859_1))
                    .doesNotContain("secret");
            Message received = take(reading, address);
            assertThat(received.getBody(String.class)).isEqualTo("a secret");
            assertThat(received.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                    .isEqualTo(Keys.SIGNER);
        }
    }
}
