/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.primitive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class PrimitiveCostTest {
    private static final PrimitiveCost COST = new PrimitiveCost(
            List.of(row(256, "p256", 0.1, 1), row(2048, "p256", 0.2, 2), row(2048, "rsa2048", 0.25, 4)));

    @Test
    void message_costsThePrimitivesOfItsQuality() {
        assertThat(COST.ofMessage(QualityOfProtection.NONE, KeyKind.P256, 2048)).isZero();
        assertThat(COST.ofMessage(QualityOfProtection.INTEGRITY, KeyKind.P256, 2048))
                .isEqualTo(2);
        assertThat(COST.ofMessage(QualityOfProtection.PRIVACY, KeyKind.P256, 2048))
                .isCloseTo(2.2, within(1e-9));
        assertThat(COST.ofMessage(QualityOfProtection.CONFIDENTIALITY, KeyKind.P256, 2048))
                .isEqualTo(0.2);
    }

    @Test
    void cost_isThatOfTheSizeAndTheKey() {
        assertThat(COST.ofMessage(QualityOfProtection.CONFIDENTIALITY, KeyKind.P256, 256))
                .isEqualTo(0.1);
        assertThat(COST.ofMessage(QualityOfProtection.INTEGRITY, KeyKind.RSA2048, 2048))
                .isEqualTo(4);
        assertThat(COST.ofMessage(QualityOfProtection.INTEGRITY, KeyKind.RSA2048, 256))
                .isNaN();
        assertThat(new PrimitiveCost(List.of()).ofMessage(QualityOfProtection.PRIVACY, KeyKind.P256, 2048))
                .isNaN();
    }

    @Test
    void measuredCost_isOfEachKey_andSignaturesCostMoreThanCiphers() throws Exception {
        List<Result> rows = PrimitiveCost.measure(256, List.of(KeyKind.P256));

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).text("key")).isEqualTo("p256");
        assertThat(rows.get(0).number("size")).isEqualTo(256);
        assertThat(rows.get(0).number("cipher_ms"))
                .isPositive()
                .isLessThan(rows.get(0).number("signature_ms"));
        assertThat(rows.get(0).number("signature_ms")).isLessThan(100);
    }

    private static Result row(int size, String key, double cipher, double signature) {
        return Result.EMPTY
                .with("size", size)
                .with("key", key)
                .with("cipher_ms", cipher)
                .with("signature_ms", signature);
    }
}
