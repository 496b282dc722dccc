/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class StatisticsTest {
    private static final double CLOSE = 1e-9;

    @Test
    void spread_ofOddNumber_hasTheMiddleOne() {
        assertThat(Spread.of(DoubleStream.of(9, 1, 4))).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void spread_ofEvenNumber_hasTheMeanOfTheMiddleTwo() {
        assertThat(Spread.of(DoubleStream.of(4, 1, 9, 2))).isEqualTo(new Spread(3, 1, 9));
    }

    @Test
    void spread_ofNothing_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(DoubleStream.empty()));
    }

    @Test
    void share_isRelativeToBothNeighbours() {
        Sample sample = Figured.sample(900, 800, 1000);

        assertThat(sample.shareOfNone()).isEqualTo(1.0, within(CLOSE));
    }

    @Test
    void cpu_isRelativeToBothNeighbours() {
        Phase.Figures dear = new Phase.Figures(1, new Phase.Latency(1, 1), new Phase.Cpu(3, 3));
        Phase.Figures cheap = new Phase.Figures(1, new Phase.Latency(1, 1), new Phase.Cpu(1, 1));
        Phase.Figures cheaper = new Phase.Figures(1, new Phase.Latency(1, 1), new Phase.Cpu(1, 0));

        assertThat(new Sample(dear, cheap, cheaper).cpuOfNone()).isEqualTo(4.0, within(CLOSE));
    }

    @Test
    void unprotected_isItsOwnMeasure() {
        assertThat(Sample.unprotected(Figured.rate(7)).shareOfNone()).isEqualTo(1.0);
    }

    @Test
    void figures_arePerSecondAndPerRoundTrip() {
        Phase phase = new Phase(500, 2_000_000_000L, new Phase.Latency(10, 20), new Phase.Cpu(1_000, 250));

        assertThat(phase.figures()).isEqualTo(new Phase.Figures(250, new Phase.Latency(10, 20), new Phase.Cpu(2, 0.5)));
    }

    @Test
    void phaseWithoutRoundTrips_hasNoFigures() {
        Phase phase = new Phase(0, 1_000_000, new Phase.Latency(0, 0), new Phase.Cpu(1, 1));

        assertThatIllegalStateException().isThrownBy(phase::figures).withMessageContaining("no round trip");
    }

    @Test
    void shareOfUnlimited_isThatOfTheSameRunAndLoad() {
        Results results = Figured.results();

        List<Row> rows = results.rows();
        assertThat(results.shareOfUnlimited(rows.get(0))).isEmpty();
        assertThat(results.shareOfUnlimited(rows.get(1)).orElseThrow()).isEqualTo(0.95, within(CLOSE));
        assertThat(results.shareOfUnlimited(rows.get(2))).isEmpty();
    }
}
