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
import org.signetmq.perf.micro.Row.Measured;
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
    @ValueSource(strings = {"micro", "micro-quick"})
    void publishedFile_givesTheSameTablesAndJson(String name) throws IOException {
        JsonNode file =
                JSON.readTree(Path.of("../docs/measured", name + ".json").toFile());
        List<Measured> measured = Result.list(file.path("results")).stream()
                .map(MicroGoldenTest::read)
                .toList();
        List<Result> sizes = Result.list(file.path("sizes"));
        List<Result> rows = measured.stream().map(Measured::result).toList();
        List<Measured> all = new ArrayList<>(measured);
        all.add(RowsTest.row("limit.sha512", 2, Crypto.NATIVE).failed("out of luck"));
        List<Result> laws = ReuseLaw.fitted(all);

        Golden.check(name + ".txt", Golden.printed(out -> {
            new MicroTable(all).print(out);
            MicroTable.printSizes(sizes, out);
            ReuseLaw.print(laws, out);
            Target.print(MicroTargets.of(rows, sizes), out);
        }));
        assertThat(JSON.writeValueAsString(rows)).isEqualTo(text(file.path("results")));
        assertThat(JSON.writeValueAsString(laws)).isEqualTo(text(file.path("laws")));
        new MicroPlots(all, new ChartFolder(charts().resolve(name))).write();
    }

    private Path charts() {
        return Path.of(System.getProperty("signet.golden.charts", folder.toString()));
    }

    private static String text(JsonNode node) throws IOException {
        return JSON.writeValueAsString(node);
    }

    private static Measured read(Result row) {
        Crypto crypto = Stream.of(Crypto.values())
                .filter(one -> row.is("crypto", one))
                .findFirst()
                .orElseThrow();
        return RowsTest.row(row.text("name"), (int) row.number("threads"), crypto)
                .measured(row.number("us_per_op"), row.number("bytes_per_op"), row.number("spread"));
    }
}
