/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.result.Target.Verdict;

final class BarTest {
    @ParameterizedTest
    @CsvSource({"0.95, >= 0.950", "1.05, >= 1.050", "4, >= 4.000", "550, >= 550", "1350, >= 1350", "550.5, >= 550.500"})
    void bar_saysItsSideAndItsHeight(double value, String text) {
        assertThat(Bar.atLeast(value)).hasToString(text);
        assertThat(Bar.atMost(value)).hasToString(text.replace('>', '<'));
    }

    @Test
    void figureOnTheBar_meetsIt() {
        assertThat(verdict(Bar.atMost(4), 4)).isEqualTo(Verdict.MET);
        assertThat(verdict(Bar.atLeast(4), 4)).isEqualTo(Verdict.MET);
    }

    @Test
    void figureBesideTheBar_meetsItOnOneSideAlone() {
        assertThat(verdict(Bar.atMost(4), 3.999)).isEqualTo(Verdict.MET);
        assertThat(verdict(Bar.atMost(4), 4.001)).isEqualTo(Verdict.MISSED);
        assertThat(verdict(Bar.atLeast(4), 3.999)).isEqualTo(Verdict.MISSED);
        assertThat(verdict(Bar.atLeast(4), 4.001)).isEqualTo(Verdict.MET);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, false, 3.0, false, 1.0, MET",
        "1.0, true, 3.0, false, 3.0, MET",
        "1.0, true, 5.0, false, 1.0, NOISY",
        "3.0, false, 5.0, true, 3.0, MET",
        "5.0, false, 6.0, true, 5.0, MISSED",
        "5.0, true, 6.0, false, 5.0, NOISY",
        "NaN, true, 5.0, false, 5.0, MISSED",
        "NaN, true, NaN, false, NaN, NOT_MEASURED"
    })
    void bestOfTwo_decidesUnlessItIsNoisy(
            double one, boolean isOneNoisy, double other, boolean isOtherNoisy, double measured, Verdict verdict) {
        List<Figure> figures = List.of(new Figure(one, isOneNoisy), new Figure(other, isOtherNoisy));

        Target target = Bar.atMost(4).target("t", figures);

        assertThat(target).isEqualTo(new Target("t", measured, Bar.atMost(4), verdict));
    }

    private static Verdict verdict(Bar bar, double figure) {
        return bar.target("t", List.of(Figure.exact(figure))).verdict();
    }
}
