/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.Golden;
import org.signetmq.perf.plot.PlotFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.targets.TargetTable;

/** The published measurement, rendered again. */
final class MicroGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"micro", "micro-quick"})
    void publishedFile_givesTheSameTablesAndJson(String name) throws IOException {
        JsonNode file =
                JSON.readTree(Path.of("../docs/measured", name + ".json").toFile());
        List<Result> measured = Result.list(file.path("results"));
        List<Result> sizes = Result.list(file.path("sizes"));
        List<Result> rows = new ArrayList<>(measured);
        rows.add(Measured.failed(new RowCatalog.Entry("limit.sha512", 2, RowCatalog.Crypto.NATIVE), "out of luck")
                .result());
        List<ReuseLaw.Fitted> laws = ReuseLaw.fitted(new MicroRows(rows));

        String text = Golden.printed(out -> {
            new MicroTable(rows).print(out);
            MicroTable.print(sizes, out);
            ReuseLaw.print(laws, out);
            new TargetTable(MicroTargets.of(rows, sizes)).print(out);
        });

        Golden.check(name + ".txt", text);
        assertThat(JSON.writeValueAsString(
                        measured.stream().map(row -> read(row).result()).toList()))
                .isEqualTo(text(file.path("results")));
        assertThat(JSON.writeValueAsString(
                        laws.stream().map(ReuseLaw.Fitted::result).toList()))
                .isEqualTo(text(file.path("laws")));
        new MicroPlots(measured).write(new PlotFolder(charts().resolve(name)));
    }

    private Path charts() {
        return Path.of(System.getProperty("signet.golden.charts", folder.toString()));
    }

    private static String text(JsonNode node) throws IOException {
        return JSON.writeValueAsString(node);
    }

    private static Measured read(Result row) {
        RowCatalog.Crypto crypto = RowCatalog.Crypto.valueOf(
                row.text("crypto").toUpperCase(Locale.ROOT).replace('-', '_'));
        return new Measured(
                new RowCatalog.Entry(row.text("name"), (int) row.number("threads"), crypto),
                row.number("us_per_op"),
                row.number("bytes_per_op"),
                row.number("spread"));
    }
}
