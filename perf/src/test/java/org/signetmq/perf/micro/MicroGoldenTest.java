/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.Golden;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;

/** The published measurement, rendered again. */
final class MicroGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"micro", "micro-2"})
    void publishedFile_givesTheSameTablesAndJson(String name) throws IOException {
        JsonNode file =
                JSON.readTree(Path.of("../docs/measured", name + ".json").toFile());
        List<Result> measured = Result.list(file.path("results"));
        List<Result> all = new ArrayList<>(measured);
        all.add(RowsTest.row("limit.sha512", 2, Crypto.NATIVE).measured(Double.NaN, Double.NaN, Double.NaN));
        MicroReport report = new MicroReport(all, Result.list(file.path("sizes")));

        Golden.check(name + ".txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
        assertThat(report.measured()).isEqualTo(measured);
        assertThat(JSON.writeValueAsString(ReuseLaws.fitted(report))).isEqualTo(text(file.path("laws")));
        report.draw(new ChartFolder(charts().resolve(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"micro", "micro-2"})
    void publishedRow_isWrittenAgainAsItIs(String name) throws IOException {
        JsonNode file =
                JSON.readTree(Path.of("../docs/measured", name + ".json").toFile());

        List<Result> written = Result.list(file.path("results")).stream()
                .map(MicroGoldenTest::written)
                .toList();

        assertThat(JSON.writeValueAsString(written)).isEqualTo(text(file.path("results")));
    }

    private Path charts() {
        return Path.of(System.getProperty("signet.golden.charts", folder.toString()));
    }

    private static String text(JsonNode node) throws IOException {
        return JSON.writeValueAsString(node);
    }

    private static Result written(Result row) {
        Crypto crypto = Stream.of(Crypto.values())
                .filter(one -> row.is("crypto", one))
                .findFirst()
                .orElseThrow();
        return RowsTest.row(row.text("name"), (int) row.number("threads"), crypto)
                .measured(row.number("us_per_op"), row.number("bytes_per_op"), row.number("spread"));
    }
}
