/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;

final class PlanTest {
    private static final Timing TIMING = new Timing(4, 1, 2, List.of(0.5, 0.8));
    private static final Setting SIGNED = Setting.of(Protection.INTEGRITY, Reuse.NONE, KeyKind.P256);

    @Test
    void baseline_standsFirstLastAndAfterEverySecondBlock() {
        Plan plan = plan(Setting.NONE, Setting.PLAIN, Figured.LIMITED, Figured.UNLIMITED);

        assertThat(labels(plan, 0))
                .containsExactly(
                        "none", "plain", "confidentiality.32.p256", "none", "confidentiality.unlimited.p256", "none");
    }

    @Test
    void oddRounds_goBackwards() {
        Plan plan = plan(Setting.NONE, Setting.PLAIN, Figured.LIMITED, SIGNED, Figured.UNLIMITED);

        assertThat(labels(plan, 1))
                .containsExactly(
                        "none",
                        "confidentiality.unlimited.p256",
                        "integrity.p256",
                        "none",
                        "confidentiality.32.p256",
                        "plain",
                        "none");
        assertThat(labels(plan, 2)).isEqualTo(labels(plan, 0));
    }

    @Test
    void warmUp_hasTheMostClients_thenHalfAsLongLargeMessages() {
        Load one = Load.of(1, 1, 10);
        Load many = Load.of(9, 1, 10);
        Load large = Load.of(9, 1, 102_401);

        assertThat(warmUps(large, one, many, Load.of(3, 1, 102_400)))
                .containsExactly(new Plan.WarmUp(many, 4), new Plan.WarmUp(large, 2));
        assertThat(warmUps(one, Load.of(1, 1, 20))).containsExactly(new Plan.WarmUp(one, 4));
        assertThat(warmUps(large)).containsExactly(new Plan.WarmUp(large, 4));
    }

    private static List<Plan.WarmUp> warmUps(Load... loads) {
        return new Plan("", List.of(Setting.NONE), List.of(loads), TIMING).warmUps();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 9})
    void everyBlock_standsBetweenTwoOfTheBaseline(int others) {
        List<Setting> settings = new ArrayList<>(List.of(Setting.NONE));
        IntStream.range(0, others)
                .mapToObj(i -> Setting.of(Protection.CONFIDENTIALITY, new Reuse("" + (i + 1)), KeyKind.P256))
                .forEach(settings::add);

        for (int round = 0; round < 2; round++) {
            List<Setting> order = plan(settings.toArray(Setting[]::new)).order(round);

            assertThat(order.get(0)).isEqualTo(Setting.NONE);
            assertThat(order.get(order.size() - 1)).isEqualTo(Setting.NONE);
            assertThat(order).containsAll(settings).hasSize(1 + others + (others + 1) / 2);
            for (int i = 1; i < order.size() - 1; i++) {
                assertThat(List.of(order.get(i - 1), order.get(i), order.get(i + 1)))
                        .as("the baseline is beside each block")
                        .contains(Setting.NONE);
            }
        }
    }

    @Test
    void baselineAlone_isABlock() {
        assertThat(labels(plan(Setting.NONE), 0)).containsExactly("none");
    }

    @Test
    void settingsAndLoads_areMeasuredOnce() {
        Load load = Load.of(8, 1, 2048);
        Plan plan = new Plan(
                "", List.of(Setting.NONE, SIGNED, Setting.NONE, SIGNED), List.of(load, Load.of(8, 1, 2048)), TIMING);

        assertThat(plan.settings()).containsExactly(Setting.NONE, SIGNED);
        assertThat(plan.loads()).containsExactly(load);
        assertThat(plan.baseline()).isEqualTo(Setting.NONE);
    }

    @Test
    void planOfNothing_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Plan("", List.of(Setting.NONE), List.of(), TIMING))
                .withMessage("clients: at least one number is needed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Plan("", List.of(), List.of(Figured.LOAD), TIMING))
                .withMessage("settings: at least the baseline is needed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1|1|0|rounds: must be above zero, found 0",
                "1|0|1|seconds: must be above zero, found 0.0",
                "1|NaN|1|seconds: must be above zero, found NaN",
                "-1|1|1|warm-up: must not be below zero, found -1.0",
                "NaN|1|1|warm-up: must not be below zero, found NaN"
            })
    void timeOfNothing_isRejected(double warmUp, double seconds, int rounds, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Timing(warmUp, seconds, rounds, List.of()))
                .withMessage(message);
    }

    @Test
    void otherPaces_areMeasuredInEverySixthRound() {
        assertThat(IntStream.range(0, 13).filter(TIMING::hasPaces)).containsExactly(0, 6, 12);
    }

    @ParameterizedTest
    @CsvSource({"0.1,0.3", "0.7,0.7", "2.5,1"})
    void ramp_isAsLongAsTheBlock_fromAThirdOfASecondToOneSecond(double seconds, double ramp) {
        assertThat(new Timing(0, seconds, 1, List.of()).rampSeconds()).isEqualTo(ramp);
    }

    @Test
    void pairs_changeBetweenTheFirstAndTheLastLoad_beforeTheyWarmUp() {
        Load few = Load.of(1, 1, 10);
        Load many = Load.of(9, 1, 10);

        assertThat(new Plan("", List.of(Setting.NONE), List.of(few, Load.of(4, 1, 10), many), TIMING).rehearsedLoads())
                .containsExactly(few, many, few);
        assertThat(new Plan("", List.of(Setting.NONE), List.of(few), TIMING).rehearsedLoads())
                .isEmpty();
    }

    @Test
    void seconds_areThoseOfAllBlocksAndOfWarmingUp() {
        Plan plan = plan(Setting.NONE, SIGNED);

        // 3 blocks in each of 2 rounds, 2 paces of 2 settings in one of them
        double blocks = 6 * (1 + 1) + 4 * (1.7 + 1);
        double pairs = 2 * (4 + 5) + 2 * (2 + 4 / 5.0 / 4);
        assertThat(plan.seconds()).isCloseTo(blocks + pairs, within(1e-9));
    }

    @Test
    void time_isToldInBegunMinutes() {
        assertThat(Experiment.time(60)).isEqualTo("about 1 min");
        assertThat(Experiment.time(60.5)).isEqualTo("about 2 min");
    }

    private static Plan plan(Setting... settings) {
        return new Plan("", List.of(settings), List.of(Figured.LOAD), TIMING);
    }

    private static List<String> labels(Plan plan, int round) {
        return plan.order(round).stream().map(Setting::label).toList();
    }
}
