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
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/** Made-up results of two loads, rendered. */
final class RrGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void madeUpResults_giveTheSameTablesAndJson() throws Exception {
        List<Row> rows = new ArrayList<>();
        Variant signed = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.RSA2048);
        for (Load load : List.of(Figured.LOAD, new Load(81, 21, 256))) {
            rows.addAll(Figured.rows(load));
            rows.add(Figured.row(signed, load, Figured.sample(700, 990, 1010), Figured.sample(730.5, 1010, 980.25)));
        }
        List<Result> results = Row.results(rows);

        Golden.check("rr.json", JSON.writeValueAsString(results) + "\n");
        RrReport report = new RrReport(results);
        Golden.check("rr.txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
        report.draw(new ChartFolder(Path.of(System.getProperty("signet.golden.charts", folder.toString()), "rr")));
    }
}
