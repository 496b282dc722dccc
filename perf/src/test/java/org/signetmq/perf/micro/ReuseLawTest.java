/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.Row.Crypto;
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

    @Test
    void law_isFittedForEachKeyAndSetOfProviders_withEnoughRows() {
        List<Result> rows = new ArrayList<>();
        for (String reuse : List.of("1", "2", "4", "unlimited")) {
            rows.add(row("seal.confidentiality." + reuse + ".p256", Crypto.JAVA_ONLY));
            rows.add(row("seal.confidentiality." + reuse + ".rsa2048", Crypto.NATIVE));
        }
        for (String reuse : List.of("1", "2", "4")) {
            rows.add(row("seal.confidentiality." + reuse + ".p256", Crypto.NATIVE));
        }

        assertThat(ReuseLaw.fitted(new MicroReport(rows, List.of())))
                .extracting(law -> law.text("rows") + ", " + law.text("crypto"))
                .containsExactly("seal.confidentiality.N.p256, java-only", "seal.confidentiality.N.rsa2048, native");
    }

    @Test
    void otherRows_areNoPointsOfTheLaw() {
        List<Result> rows = Stream.of("0", "32.p256.256", "32.p256.r5", "32.rsa2048", "unlimited.p256")
                .map(rest -> row("seal.confidentiality." + rest, Crypto.NATIVE))
                .toList();

        assertThat(ReuseLaw.fitted(new MicroReport(rows, List.of()))).isEmpty();
    }

    private static Result row(String name, Crypto crypto) {
        return RowsTest.row(name, 1, crypto).measured(1, 100, 1);
    }
}
