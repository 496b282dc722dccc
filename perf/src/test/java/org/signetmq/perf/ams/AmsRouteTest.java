/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.signetmq.perf.ams.Route.ALICE;
import static org.signetmq.perf.ams.Route.BOB;
import static org.signetmq.perf.ams.Route.EVE;
import static org.signetmq.policy.QualityOfProtection.CONFIDENTIALITY;
import static org.signetmq.policy.QualityOfProtection.INTEGRITY;
import static org.signetmq.policy.QualityOfProtection.PRIVACY;

import java.security.GeneralSecurityException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

final class AmsRouteTest {
    static Stream<Arguments> settings() {
        return Stream.of(INTEGRITY, PRIVACY, CONFIDENTIALITY)
                .flatMap(quality -> Stream.of(AmsProvider.values()).map(provider -> Arguments.of(quality, provider)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void sealedPayload_ofAnySize_isOpened(QualityOfProtection quality, AmsProvider provider) throws Exception {
        Variant variant = new Variant(quality, new Reuse("2"), KeyKind.RSA2048);
        AmsRoute route = new AmsRoute(variant, ALICE, BOB, provider);
        AmsProducer producer = route.producer();
        AmsConsumer consumer = route.consumer();

        for (int size : new int[] {0, 1, 15, 16, 17, 2048, 100_000}) {
            byte[] payload = Payload.ofSize(size);
            assertThat(consumer.open(producer.seal(payload))).isEqualTo(payload);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"PRIVACY", "CONFIDENTIALITY"})
    void messageForAnotherRecipient_isRejected(QualityOfProtection quality) throws Exception {
        AmsRoute route = Route.of(quality);
        byte[] message = new AmsRoute(route.variant(), ALICE, EVE, AmsProvider.INSTALLED)
                .producer()
                .seal(Payload.ofSize(10));

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> route.consumer().open(message))
                .withMessage("recipient: the message is for another one");
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY"})
    void messageOfAnotherSender_isRejected(QualityOfProtection quality) throws Exception {
        AmsRoute route = Route.of(quality);
        byte[] message = new AmsRoute(route.variant(), EVE, BOB, AmsProvider.INSTALLED)
                .producer()
                .seal(Payload.ofSize(10));

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> route.consumer().open(message))
                .withMessage("signature: another sender's");
    }

    /** As in AMS: the recipient's certificate is all that a forger needs. */
    @Test
    void confidentialMessageOfAnotherSender_isOpened() throws Exception {
        AmsRoute route = Route.of(CONFIDENTIALITY);
        byte[] payload = Payload.ofSize(10);
        byte[] forged = new AmsRoute(route.variant(), EVE, BOB, AmsProvider.INSTALLED)
                .producer()
                .seal(payload);

        assertThat(route.consumer().open(forged)).isEqualTo(payload);
    }

    @Test
    void messageOfAnotherQuality_isRejected_unlessOnlyTheSignatureIsMissed() throws Exception {
        byte[] payload = Payload.ofSize(100);
        for (QualityOfProtection sealed : new QualityOfProtection[] {INTEGRITY, PRIVACY, CONFIDENTIALITY}) {
            byte[] message = Route.of(sealed).producer().seal(payload);
            for (QualityOfProtection expected : new QualityOfProtection[] {INTEGRITY, PRIVACY, CONFIDENTIALITY}) {
                if (expected != sealed && !(sealed == PRIVACY && expected == CONFIDENTIALITY)) {
                    assertThatExceptionOfType(GeneralSecurityException.class)
                            .as(sealed + " as " + expected)
                            .isThrownBy(() -> Route.of(expected).consumer().open(message));
                }
            }
        }
        byte[] signed = Route.of(CONFIDENTIALITY)
                .consumer()
                .open(Route.of(PRIVACY).producer().seal(payload));
        assertThat(Route.of(INTEGRITY).consumer().open(signed)).isEqualTo(payload);
    }

    @Tag(Tier.LONG)
    @Test
    void unprotectedVariant_otherKeys_andNoRememberedKey_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AmsRoute(Variant.UNPROTECTED, ALICE, BOB, AmsProvider.INSTALLED))
                .withMessage("quality: must protect, found 'none'");
        Variant curve = new Variant(INTEGRITY, Reuse.NONE, KeyKind.P256);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AmsRoute(curve, ALICE, BOB, AmsProvider.INSTALLED))
                .withMessage("key: must be rsa2048, found 'p256'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Route.of(PRIVACY).consumer(0))
                .withMessage("remembered keys: must be at least 1, found 0");
    }

    /** AMS adds 1,358 bytes. Its certificate and attributes must be smaller than ours. */
    @Test
    void privacy_addsASignatureACertificateAndAWrappedKey() throws Exception {
        byte[] message = Route.of(PRIVACY).producer().seal(Payload.ofSize(Payload.USUAL_SIZE));

        assertThat(message.length - Payload.USUAL_SIZE).isBetween(1358, 2000);
    }
}
