/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.TargetLines;
import org.signetmq.perf.result.Target.Verdict;

final class TargetTest {
    private static final Figure NONE = Figure.exact(Double.NaN);

    @Test
    void bestFigure_counts() {
        assertThat(Bar.atMost(4).target("t", List.of(calm(5), NONE, calm(3))))
                .isEqualTo(new Target("t", 3, Bar.atMost(4), Verdict.MET));
        assertThat(Bar.atLeast(4).target("t", List.of(calm(5), NONE, calm(3))))
                .isEqualTo(new Target("t", 5, Bar.atLeast(4), Verdict.MET));
        assertThat(Bar.atLeast(6).target("t", List.of(calm(5), calm(3))).verdict())
                .isEqualTo(Verdict.MISSED);
    }

    @Test
    void noisyFigure_isNeitherMetNorMissed() {
        assertThat(Bar.atMost(4).target("t", List.of(noisy(3))).verdict()).isEqualTo(Verdict.NOISY);
        assertThat(Bar.atMost(4).target("t", List.of(noisy(5))).verdict()).isEqualTo(Verdict.NOISY);
        assertThat(Bar.atMost(4).target("t", List.of(noisy(3), calm(5))).verdict())
                .isEqualTo(Verdict.NOISY);
    }

    @Test
    void calmFigureThatMeetsTheBar_countsBesideABetterNoisyOne() {
        assertThat(Bar.atMost(4).target("t", List.of(noisy(2), calm(3))))
                .isEqualTo(new Target("t", 3, Bar.atMost(4), Verdict.MET));
    }

    @Test
    void noFigure_isNotMeasured() {
        assertThat(Bar.atMost(4).target("t", List.of(NONE)).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        assertThat(Bar.atMost(4).target("t", List.of()).verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void figuresMadeOfNoisyOnes_areNoisy() {
        assertThat(calm(1).plus(noisy(2)).over(calm(3))).isEqualTo(noisy(1));
        assertThat(calm(6).over(calm(3))).isEqualTo(calm(2));
        assertThat(Figure.scattered(1, 1.51).isNoisy()).isTrue();
        assertThat(Figure.scattered(1, 1.5).isNoisy()).isFalse();
    }

    @Test
    void tables_leaveNothingOut() {
        List<Target> targets = List.of(
                Bar.atMost(4).target("met", List.of(calm(1))),
                Bar.atMost(4).target("missed", List.of(calm(5))),
                Bar.atMost(4).target("noisy", List.of(noisy(1))),
                Bar.atLeast(550).target("missing", List.of()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Target.print(targets, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .containsPattern("met +1\\.000 +<= 4\\.000 yes")
                .containsPattern("missed +5\\.000 +<= 4\\.000 no")
                .containsPattern("noisy +1\\.000 +<= 4\\.000 noisy")
                .containsPattern("missing +- +>= 550 not measured");
        assertThat(TargetLines.of(targets))
                .contains("| met | 1.000 | <= 4.000 | yes |")
                .contains("| missed | 5.000 | <= 4.000 | **no** |")
                .contains("| noisy | 1.000 | <= 4.000 | noisy |")
                .contains("| missing |  | >= 550 | not measured |");
    }

    private static Figure calm(double value) {
        return new Figure(value, false);
    }

    private static Figure noisy(double value) {
        return new Figure(value, true);
    }
}
