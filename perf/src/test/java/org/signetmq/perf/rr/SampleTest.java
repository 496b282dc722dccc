/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Block.Figures;
import org.signetmq.perf.rr.Row.Sample;

final class SampleTest {
    private static final double CLOSE = 1e-9;

    @Test
    void median_isTheMiddleOne_orTheMeanOfTheMiddleTwo() {
        assertThat(Row.median(1, 4, 9)).isEqualTo(4);
        assertThat(Row.median(1, 2, 4, 9)).isEqualTo(3);
    }

    @Test
    void share_isRelativeToBothNeighbours() {
        Sample sample = Figured.sample(900, 800, 1000);

        assertThat(sample.shareOfNone()).isEqualTo(1.0, within(CLOSE));
    }

    @Test
    void cpu_isRelativeToBothNeighbours() {
        Figures dear = new Figures(1, new Block.Latency(1, 1), new Block.Cpu(3, 3));
        Figures cheap = new Figures(1, new Block.Latency(1, 1), new Block.Cpu(1, 1));
        Figures cheaper = new Figures(1, new Block.Latency(1, 1), new Block.Cpu(1, 0));

        assertThat(new Sample(dear, cheap, cheaper).cpuOfNone()).isEqualTo(4.0, within(CLOSE));
    }

    @Test
    void shareOfUnlimited_isThatOfTheSameRunAndLoad() {
        List<Result> results = Figured.results();

        assertThat(results.get(0).has("share_of_unlimited")).isFalse();
        assertThat(results.get(1).number("share_of_unlimited")).isEqualTo(0.95, within(CLOSE));
        assertThat(results.get(2).has("share_of_unlimited")).isFalse();
    }
}
