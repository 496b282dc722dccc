/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Golden;
import org.signetmq.perf.plot.PlotFolder;
import org.signetmq.perf.targets.TargetTable;
import org.signetmq.policy.QualityOfProtection;

/** Made-up results of two loads, rendered. */
final class RrGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void madeUpResults_giveTheSameTablesAndJson() throws Exception {
        List<Row> rows = new ArrayList<>(Figured.results().rows());
        Variant signed = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.RSA2048);
        List<Sample> samples = List.of(Figured.sample(700, 990, 1010), Figured.sample(730.5, 1010, 980.25));
        rows.add(new Row(signed, Figured.LOAD, samples, samples));
        Load other = new Load(81, 21, 256);
        for (Row row : List.copyOf(rows)) {
            rows.add(new Row(row.variant(), other, row.cold(), row.warm()));
        }
        Results results = new Results(rows);

        Golden.check("rr.json", JSON.writeValueAsString(results.results()) + "\n");
        Golden.check("rr.txt", Golden.printed(out -> {
            RrTables.print(results.results(), out);
            new TargetTable(RrTargets.of(results.results())).print(out);
        }));
        RrPlots.write(
                results.results(),
                new PlotFolder(Path.of(System.getProperty("signet.golden.charts", folder.toString()), "rr")));
    }
}
