/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;

final class ReuseLawTest {
    @Test
    void timesOfTheLaw_giveItBack() {
        List<ReuseLaw.Point> points = DoubleStream.of(1, 0.5, 0.25, 0.125, 0)
                .mapToObj(keys -> new ReuseLaw.Point(keys, 2 + 30 * keys))
                .toList();

        Result law = ReuseLaw.fitted(Result.EMPTY, points);

        assertThat(law.number("t_infinity_us")).isCloseTo(2, within(1e-9));
        assertThat(law.number("k_us")).isCloseTo(30, within(1e-9));
        assertThat(law.number("r2")).isCloseTo(1, within(1e-9));
    }

    @Test
    void publishedExcessOverUnlimited_hasItsPublishedFit() {
        // Figure 3 of the AMS report, microseconds per round trip and thread
        List<ReuseLaw.Point> points = List.of(
                new ReuseLaw.Point(1, 2100),
                new ReuseLaw.Point(1 / 2.0, 1630),
                new ReuseLaw.Point(1 / 4.0, 1304),
                new ReuseLaw.Point(1 / 8.0, 1106),
                new ReuseLaw.Point(1 / 16.0, 1028),
                new ReuseLaw.Point(1 / 32.0, 999),
                new ReuseLaw.Point(1 / 64.0, 979));

        Result law = ReuseLaw.fitted(Result.EMPTY, points);

        assertThat(law.number("t_infinity_us")).isCloseTo(980, within(10.0));
        assertThat(law.number("k_us")).isCloseTo(1160, within(10.0));
        assertThat(law.number("r2")).isCloseTo(0.991, within(0.001));
    }
}
