/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.StreamMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Cases;

/**
 * AMQP bodies that have no form as Core bodies. The broker tries to convert those that are longer than a journal
 * record.
 */
final class LargeAmqpIT extends OneBroker {
    private static final byte[] BYTES = LargeBodies.TEXT.getBytes(StandardCharsets.UTF_8);

    private final Producers.Making stream = session -> {
        StreamMessage message = session.createStreamMessage();
        message.writeBytes(BYTES);
        message.writeLong(7);
        return message;
    };

    private TestBroker.Setup setup(PolicySet policies) throws Exception {
        setup.homes().policies(policies);
        return setup;
    }

    @ParameterizedTest
    @Cases({"PRIVACY", "INTEGRITY", "CONFIDENTIALITY"})
    void streamWithBytes_isSealedOnceAndOpensAsItWasSent(QualityOfProtection quality) throws Exception {
        PolicySet policies = LargeBodies.policies(quality);
        TestBroker broker = start(setup(policies).secured(), "orders");
        try (DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK)) {
            JmsClient.AMQP.send(broker, "orders", stream);
            if (quality.encrypts()) {
                assertThat(watch.seen()).isEmpty();
            }
        }

        OpenedMessage opened = broker.homes.open(broker.nextBody("orders"), "orders", policies);

        assertThat(opened.quality()).isEqualTo(quality);
        assertThat(opened.entityIfProtected().orElseThrow().bodyKind()).contains(BodyKind.AMQP_SECTIONS);
        assertThat(opened.entityIfProtected().orElseThrow().sender()).contains("alice");
        assertThat(new String(opened.payload(), StandardCharsets.UTF_8)).contains(LargeBodies.TEXT);
        assertThat(broker.sealed()).isEqualTo(1);
        assertThat(broker.state().counts().passed()).isZero();
    }

    @Test
    void streamWithBytes_wherePolicyWantsItSealedByTheClient_isRejectedAndNothingIsStored() throws Exception {
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                List.of(LargeBodies.sealedByClients(
                        EveryProtocolIT.policy("orders", QualityOfProtection.CONFIDENTIALITY))));
        TestBroker broker = start(setup(policies));
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        assertThatThrownBy(() -> JmsClient.AMQP.send(broker, "orders", stream)).isInstanceOf(JMSException.class);

        assertThat(broker.sealed()).isZero();
        assertThat(watch.seen()).isEmpty();
    }

    @Test
    void streamWithBytes_ofWhoMayNotSend_isRejectedAndNothingIsSealed() throws Exception {
        CountingCryptoService counting = CountingCryptoService.working();
        TestBroker broker = start(setup(LargeBodies.policies(QualityOfProtection.PRIVACY))
                .plugin(new SignetPlugin(counting))
                .secured());
        JmsConnectionFactory mallory = new JmsConnectionFactory("mallory", "secret", "amqp://127.0.0.1:" + broker.port);

        assertThatThrownBy(() ->
                        JmsClient.send(mallory, "orders", (session, producer) -> producer.send(stream.make(session))))
                .isInstanceOf(JMSException.class);

        assertThat(counting.calls).hasValue(0);
    }
}
