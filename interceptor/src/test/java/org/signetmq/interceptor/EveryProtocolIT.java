/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

final class EveryProtocolIT extends OneBroker {
    private static final String TEXT = "the quick brown payload that nobody may find, 0123456789 ".repeat(20);

    static Stream<Arguments> producersAndQualities() {
        return Stream.of(Producers.values())
                .flatMap(producer -> Tier.cases(
                                producer == Producers.CORE || producer == Producers.AMQP ? 4 : 1,
                                QualityOfProtection.PRIVACY,
                                QualityOfProtection.INTEGRITY,
                                QualityOfProtection.CONFIDENTIALITY,
                                QualityOfProtection.AUTHENTICITY)
                        .map(quality -> Arguments.of(producer, quality)));
    }

    @ParameterizedTest
    @MethodSource("producersAndQualities")
    void message_arrivesSealedAndOpens(Producers producer, QualityOfProtection quality) throws Exception {
        String address = "orders." + quality.label();
        homes.policies(1, policy(address, quality));
        TestBroker broker = start(address);

        producer.send(broker, address, TEXT);
        List<String> inClear = broker.disk().filesWith(TEXT.substring(0, 40));
        byte[] stored = broker.nextBody(address);

        OpenedMessage opened = homes.open(stored, address);
        assertThat(opened.quality()).isEqualTo(quality);
        assertThat(opened.signer().isPresent()).isEqualTo(quality.provesSender());
        assertThat(new String(opened.payload(), StandardCharsets.UTF_8)).isEqualTo(TEXT);
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.bodyKind()))
                .contains(kind(producer));
        // a signature alone hides nothing, so only the others can be looked for
        assertThat(inClear.isEmpty()).isEqualTo(quality.encrypts());
        assertThat(broker.sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("producers")
    void message_ofQualityNone_passesAsItIs(Producers producer) throws Exception {
        homes.policies(1, none("orders"));
        TestBroker broker = start("orders");

        producer.send(broker, "orders", TEXT);

        assertThat(broker.disk().filesWith(TEXT.substring(0, 40))).isNotEmpty();
        assertThat(broker.poll("orders")).isNotNull();
        assertThat(broker.sealed()).isZero();
    }

    static Stream<Producers> producers() {
        return Stream.of(Producers.values());
    }

    private static BodyKind kind(Producers producer) {
        return switch (producer) {
            case MQTT_3, MQTT_5 -> BodyKind.MQTT;
            case STOMP_BYTES -> BodyKind.JMS_BYTES;
            case CORE, AMQP, STOMP_TEXT, OPENWIRE -> BodyKind.JMS_TEXT;
        };
    }

    static Policy none(String address) {
        Policy some = Policy.integrity(address);
        return new Policy(address, QualityOfProtection.NONE, some.signing(), some.encryption(), some.acceptance());
    }

    static Policy policy(String address, QualityOfProtection quality) {
        List<String> consumer = List.of(TestHomes.CONSUMER);
        return switch (quality) {
            case NONE -> none(address);
            case INTEGRITY -> Policy.integrity(address);
            case PRIVACY -> Policy.privacy(address, consumer);
            case CONFIDENTIALITY -> Policy.confidentiality(address, consumer, KeyLimits.DEFAULT);
            case AUTHENTICITY -> Policy.authenticity(address, consumer, KeyLimits.DEFAULT);
        };
    }
}
