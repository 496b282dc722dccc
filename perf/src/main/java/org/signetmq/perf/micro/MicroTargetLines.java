/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.targets.TargetTable;

/** The targets of the micro-benchmarks as Markdown, from results as they stand in JSON. */
public final class MicroTargetLines {
    private MicroTargetLines() {}

    /** A table of every target, met, missed or not measured, from a whole file of results. */
    public static String markdown(JsonNode file) {
        List<Measured> rows = new ArrayList<>();
        file.path("results").forEach(row -> rows.add(measured(row)));
        Map<String, Integer> sizes = new HashMap<>();
        file.path(MicroJson.SIZES)
                .forEach(row -> sizes.put(
                        row.path("name").asText(), row.path("bytes_added").asInt()));
        return new TargetTable(new MicroTargets(rows, sizes).targets()).markdown();
    }

    private static Measured measured(JsonNode row) {
        String crypto = row.path("crypto").asText();
        RowCatalog.Crypto found = Arrays.stream(RowCatalog.Crypto.values())
                .filter(value -> value.toString().equals(crypto))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("results: unknown crypto " + crypto));
        return new Measured(
                new RowCatalog.Entry(
                        row.path("name").asText(), row.path("threads").asInt(), found),
                row.path("us_per_op").asDouble(),
                row.path("bytes_per_op").asDouble(Double.NaN),
                row.path("spread").asDouble());
    }
}
