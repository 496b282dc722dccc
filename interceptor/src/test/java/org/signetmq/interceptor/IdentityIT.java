/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Cases;

final class IdentityIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"AMQP", "MQTT_5", "CORE", "MQTT_3", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void authenticatedUser_withAnIdentity_signsAndIsNamed(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        setup.homes().createUser("alice");

        OpenedMessage opened = sendAndOpen(setup, producer);

        assertThat(opened.signer().orElseThrow()).contains("CN=alice");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .contains("alice");
    }

    @Test
    void authenticatedUser_withoutAnIdentity_isNamedAndTheBrokerSigns() throws Exception {
        OpenedMessage opened = sendAndOpen(new TestBroker.Setup(folder).secured(), Producers.CORE);

        assertThat(opened.signer().orElseThrow()).contains("CN=broker");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .contains("alice");
    }

    @Test
    void claimedUser_withoutSecurity_isNotBelieved() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().createUser("alice");

        OpenedMessage opened = sendAndOpen(setup, Producers.CORE);

        assertThat(opened.signer().orElseThrow()).contains("CN=broker");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .isEmpty();
    }

    @Test
    void userWhoseIdentityCannotBeLoaded_isRejected() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).secured();
        setup.homes().policies(1, TestHomes.privacy("orders"));
        Files.writeString(setup.homes().broker.identities().resolve("alice.p12"), "no key store");
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("Signet cannot use its keys or policies at the moment");

            assertThat(reader.poll("orders")).isNull();
        }
    }

    private static OpenedMessage sendAndOpen(TestBroker.Setup setup, Producers producer) throws Exception {
        PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            producer.send(broker, "orders", "hello");
            return broker.homes.open(reader.nextBody("orders"), "orders", policies);
        }
    }
}
