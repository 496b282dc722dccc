/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

final class ScenarioTest {
    private static final List<Load> LOADS = List.of(new Load(1, 1, 2048));
    private static final Variant NONE = Variant.UNPROTECTED;
    private static final Variant SEALED =
            new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
    private static final Variant SIGNED = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.P256);

    @Test
    void allCombinations_keepWhatIsComparedTogether() {
        List<Variant> variants = Scenario.variants(
                List.of(
                        QualityOfProtection.CONFIDENTIALITY,
                        QualityOfProtection.PRIVACY,
                        QualityOfProtection.INTEGRITY),
                List.of(new Reuse("32"), Reuse.UNLIMITED),
                List.of(KeyKind.P256, KeyKind.RSA2048));

        assertThat(variants)
                .extracting(Variant::label)
                .containsExactly(
                        "confidentiality.32.p256",
                        "confidentiality.unlimited.p256",
                        "privacy.0.p256",
                        "integrity.0.p256",
                        "confidentiality.32.rsa2048",
                        "confidentiality.unlimited.rsa2048",
                        "privacy.0.rsa2048",
                        "integrity.0.rsa2048");
    }

    @Test
    void none_isNoVariantOfItsOwn() {
        assertThat(Scenario.variants(
                        List.of(QualityOfProtection.NONE), List.of(Reuse.UNLIMITED), List.of(KeyKind.P256)))
                .isEmpty();
    }

    @Test
    void firstRun_hasNoneBeforeAndAfterEachVariant() {
        assertThat(scenario(SEALED, SIGNED).plan(0)).containsExactly(NONE, SEALED, NONE, SIGNED, NONE);
    }

    @Test
    void secondRun_goesBackwards() {
        assertThat(scenario(SEALED, SIGNED).plan(1)).containsExactly(NONE, SIGNED, NONE, SEALED, NONE);
    }

    @Test
    void nothingButNone_isMeasuredOnce() {
        assertThat(scenario().plan(0)).containsExactly(NONE);
    }

    @Test
    void warmUp_runsEachVariant() {
        assertThat(scenario(SEALED, SIGNED).warmUpPlan()).containsExactly(NONE, SEALED, SIGNED);
    }

    @Test
    void warmUpRounds_fitIntoHalfOfWhatIsMeasured() {
        // five blocks of six seconds in each run; a round of three blocks of five seconds
        assertThat(scenario(SEALED, SIGNED).mostWarmUpRounds()).isEqualTo(1);
        assertThat(new Scenario(List.of(SEALED, SIGNED), LOADS, 5, 1, 10).mostWarmUpRounds())
                .isEqualTo(10);
    }

    @Test
    void blockOfAShortRun_isColdForHalfOfItsTime() {
        Load load = LOADS.get(0);

        assertThat(new Scenario(List.of(), LOADS, 1, 1, 1).block(NONE, load))
                .isEqualTo(new Block(NONE, load, 500, 1000));
        assertThat(scenario().block(NONE, load)).isEqualTo(new Block(NONE, load, 1000, 5000));
        assertThat(scenario().warmUpBlock(NONE)).isEqualTo(new Block(NONE, load, 0, 5000));
    }

    private static Scenario scenario(Variant... protecting) {
        return new Scenario(List.of(protecting), LOADS, 5, 1, 1);
    }
}
