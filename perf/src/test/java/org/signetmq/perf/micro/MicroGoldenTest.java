/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.Golden;
import org.signetmq.perf.plot.PlotFolder;
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
        List<Measured> rows = new ArrayList<>();
        file.path("results").forEach(row -> rows.add(measured(row)));
        rows.add(Measured.failed(new RowCatalog.Entry("limit.sha512", 2, RowCatalog.Crypto.NATIVE), "out of luck"));
        Map<String, Integer> sizes = new LinkedHashMap<>();
        file.path("sizes")
                .forEach(row -> sizes.put(
                        row.path("name").asText(), row.path("bytes_added").asInt()));
        List<ReuseLaw.Fitted> laws = ReuseLaw.fitted(rows);

        String text = Golden.printed(out -> {
            new MicroTable(rows).print(out);
            MicroTable.print(sizes, out);
            ReuseLaw.print(laws, out);
            new TargetTable(new MicroTargets(rows, sizes).targets()).print(out);
        });

        Golden.check(name + ".txt", text);
        assertThat(JSON.writeValueAsString(MicroJson.results(rows))).isEqualTo(text(file.path("results")));
        assertThat(JSON.writeValueAsString(MicroJson.beside(sizes, laws).get("sizes")))
                .isEqualTo(text(file.path("sizes")));
        assertThat(JSON.writeValueAsString(MicroJson.beside(sizes, laws).get("laws")))
                .isEqualTo(text(file.path("laws")));
        new MicroPlots(rows).write(new PlotFolder(charts().resolve(name)));
    }

    private Path charts() {
        return Path.of(System.getProperty("signet.golden.charts", folder.toString()));
    }

    private static String text(JsonNode node) throws IOException {
        return JSON.writeValueAsString(node);
    }

    private static Measured measured(JsonNode row) {
        RowCatalog.Crypto crypto = RowCatalog.Crypto.valueOf(
                row.path("crypto").asText().toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
        return new Measured(
                new RowCatalog.Entry(
                        row.path("name").asText(), row.path("threads").asInt(), crypto),
                row.path("us_per_op").asDouble(),
                row.path("bytes_per_op").asDouble(Double.NaN),
                row.path("spread").asDouble());
    }
}
