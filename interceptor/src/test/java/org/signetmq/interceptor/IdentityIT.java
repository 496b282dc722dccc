/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Cases;

final class IdentityIT extends OneBroker {
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"AMQP", "MQTT_5", "CORE", "MQTT_3", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void authenticatedUser_withAnIdentity_signsAndIsNamed(Producers producer) throws Exception {
        setup.secured();
        setup.homes().createUser("alice");

        OpenedMessage opened = sendAndOpen(setup, producer);

        assertThat(opened.signer().orElseThrow()).contains("CN=alice");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .contains("alice");
    }

    @Test
    void authenticatedUser_withoutAnIdentity_isNamedAndTheBrokerSigns() throws Exception {
        OpenedMessage opened = sendAndOpen(setup.secured(), Producers.CORE);

        assertThat(opened.signer().orElseThrow()).contains("CN=broker");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .contains("alice");
    }

    @Test
    void claimedUser_withoutSecurity_isNotBelieved() throws Exception {
        setup.homes().createUser("alice");

        OpenedMessage opened = sendAndOpen(setup, Producers.CORE);

        assertThat(opened.signer().orElseThrow()).contains("CN=broker");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .isEmpty();
    }

    @Test
    void userWhoseIdentityCannotBeLoaded_isRejected() throws Exception {
        setup.secured();
        homes.policies(1, TestHomes.privacy("orders"));
        Files.writeString(homes.broker.identities().resolve("alice.p12"), "no key store");
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("Signet cannot use its keys or policies at the moment");

        assertThat(broker.poll("orders")).isNull();
    }

    private OpenedMessage sendAndOpen(TestBroker.Setup setup, Producers producer) throws Exception {
        PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start("orders");
        producer.send(broker, "orders", "hello");
        return broker.homes.open(broker.nextBody("orders"), "orders", policies);
    }
}
