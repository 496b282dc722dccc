/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @Test
    void warmUpBlock_hasTheHeaviestLoad() {
        List<Load> loads = List.of(new Load(1, 4, 2048), new Load(81, 4, 2048), new Load(32, 4, 2048));

        Block block = new Scenario(List.of(SEALED), loads, 5, 1, 1).warmUpBlock(SEALED);

        assertThat(block.load()).isEqualTo(loads.get(1));
    }

    @Test
    void warmUpRounds_areMoreForMoreLoads_andNeverNone() {
        List<Load> loads = List.of(LOADS.get(0), LOADS.get(0), LOADS.get(0));

        // three loads of three blocks of six seconds; a round of two blocks of five seconds
        assertThat(new Scenario(List.of(SEALED), loads, 5, 1, 1).mostWarmUpRounds())
                .isEqualTo(2);
        assertThat(new Scenario(List.of(), LOADS, 1, 1, 1).mostWarmUpRounds()).isEqualTo(1);
    }

    @Test
    void planOfEachRun_beginsAndEndsWithNone() {
        Scenario scenario = scenario(SEALED, SIGNED);

        assertThat(scenario.plan(2)).isEqualTo(scenario.plan(0));
        assertThat(scenario.plan(3)).isEqualTo(scenario.plan(1));
        assertThat(scenario.protecting()).containsExactly(SEALED, SIGNED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0|1|seconds: must be above zero, found 0",
                "1|-1|1|warm-up: must not be below zero, found -1",
                "1|0|0|runs: must be above zero, found 0"
            })
    void numberThatMeasuresNothing_isRejected(int seconds, long warmUp, int runs, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scenario(List.of(), LOADS, seconds, warmUp, runs))
                .withMessage(message);
    }

    @Test
    void noLoad_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scenario(List.of(), List.of(), 1, 1, 1))
                .withMessageStartingWith("clients: ");
    }

    private static Scenario scenario(Variant... protecting) {
        return new Scenario(List.of(protecting), LOADS, 5, 1, 1);
    }
}
