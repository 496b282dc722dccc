/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class MicroChartsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void fullRun_drawsEverything() throws IOException {
        List<Result> rows = new ArrayList<>();
        for (String key : List.of("p256", "rsa2048")) {
            for (Crypto crypto : List.of(Crypto.JAVA_ONLY, Crypto.NATIVE)) {
                for (String row : List.of("1", "2", "32", "unlimited")) {
                    rows.add(row("seal.confidentiality." + row + "." + key, 1, crypto, 2));
                }
                rows.add(row("seal.confidentiality.32." + key + ".204800", 1, crypto, 100));
                rows.add(row("seal.confidentiality.32." + key + ".r50", 1, crypto, 5));
                rows.add(row("seal.confidentiality.32." + key, 2, crypto, 2.1));
            }
        }
        rows.add(row("peer.aws.seal.32", 1, Crypto.PEER, 700));

        new MicroReport(rows, List.of()).draw(new ChartFolder(folder));

        assertThat(charts())
                .containsExactlyInAnyOrder(
                        "micro-operations",
                        "micro-peers",
                        "micro-threads",
                        "micro-size",
                        "micro-recipients",
                        "micro-reuse");
    }

    @Test
    void quickRun_leavesOutWhatItDidNotMeasure() throws IOException {
        List<Result> rows = List.of(
                row("limit.sha512", 1, Crypto.JAVA_ONLY, 4),
                row("seal.confidentiality.32.p256", 1, Crypto.JAVA_ONLY, 2));

        new MicroReport(rows, List.of()).draw(new ChartFolder(folder));

        assertThat(charts()).containsExactly("micro-operations");
    }

    @Test
    void nothingMeasured_drawsNothing() throws IOException {
        new MicroReport(List.of(), List.of()).draw(new ChartFolder(folder));

        assertThat(charts()).isEmpty();
    }

    /** Each is there as SVG and as PNG. */
    private List<String> charts() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names =
                    files.map(file -> file.getFileName().toString()).sorted().toList();
            List<String> charts = names.stream()
                    .filter(name -> name.endsWith(".svg"))
                    .map(name -> name.substring(0, name.length() - 4))
                    .toList();
            assertThat(names).hasSize(2 * charts.size());
            charts.forEach(chart -> assertThat(names).contains(chart + ".png"));
            return charts;
        }
    }

    private static Result row(String name, int threads, Crypto crypto, double micros) {
        return RowsTest.row(name, threads, crypto).measured(micros, 100, 1);
    }
}
