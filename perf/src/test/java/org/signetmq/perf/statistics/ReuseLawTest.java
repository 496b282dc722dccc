/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.statistics.ReuseLaw.Point;

final class ReuseLawTest {
    @Test
    void timesOfTheLaw_giveItBack() {
        List<Point> points = DoubleStream.of(1, 0.5, 0.25, 0.125, 0)
                .mapToObj(keys -> new Point(keys, 2 + 30 * keys))
                .toList();

        ReuseLaw law = ReuseLaw.fit(points);

        assertThat(law.time(10)).isCloseTo(5, within(1e-9));
        assertThat(law.unlimited()).isCloseTo(2, within(1e-9));
        assertThat(law.perKey()).isCloseTo(30, within(1e-9));
        assertThat(law.r2()).isCloseTo(1, within(1e-9));
    }

    @Test
    void publishedExcessOverUnlimited_hasItsPublishedFit() {
        // Figure 3 of the AMS report, microseconds per round trip and thread
        List<Point> points = List.of(
                new Point(1, 2100),
                new Point(1 / 2.0, 1630),
                new Point(1 / 4.0, 1304),
                new Point(1 / 8.0, 1106),
                new Point(1 / 16.0, 1028),
                new Point(1 / 32.0, 999),
                new Point(1 / 64.0, 979));

        ReuseLaw law = ReuseLaw.fit(points);

        assertThat(law.unlimited()).isCloseTo(980, within(10.0));
        assertThat(law.perKey()).isCloseTo(1160, within(10.0));
        assertThat(law.r2()).isCloseTo(0.991, within(0.001));
    }

    @Test
    void equalTimes_haveNoCostOfKeys_andNoR2() {
        ReuseLaw law = ReuseLaw.fit(List.of(new Point(1, 5), new Point(0.5, 5), new Point(0, 5)));

        assertThat(law.unlimited()).isEqualTo(5);
        assertThat(law.perKey()).isZero();
        assertThat(law.r2()).isNaN();
    }

    @Test
    void pointsOfOneNumberOfUses_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReuseLaw.fit(List.of(new Point(1, 5), new Point(1, 6))))
                .withMessageStartingWith("points: must have two or more numbers of uses, found [");
    }
}
