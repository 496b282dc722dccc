/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.keys.KeysTargets;
import org.signetmq.perf.micro.MicroTargetLines;
import org.signetmq.perf.rr.RrTargets;
import org.signetmq.perf.targets.Target;
import org.signetmq.perf.targets.TargetTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code signet perf report}. */
@Command(
        name = "report",
        description = "Writes measured figures into a Markdown document: every row of the JSON files.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  signet perf report --micro micro.json --rr rr.json --keys keys.json --out docs/performance.md"})
public final class ReportCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What tells rows of round trips apart. */
    private static final Set<String> NAMES = Set.of("quality", "reuse", "key", "clients", "queues", "size");

    @Option(
            names = "--micro",
            paramLabel = "FILE",
            description =
                    "What `signet perf micro --json` wrote. May be given more than once: ratios stay within a run.")
    private List<Path> micro = List.of();

    @Option(names = "--rr", paramLabel = "FILE", description = "What `signet perf rr --json` wrote.")
    private @Nullable Path rr;

    @Option(names = "--keys", paramLabel = "FILE", description = "What `signet perf keys --json` wrote.")
    private @Nullable Path keys;

    @Option(
            names = "--notes",
            paramLabel = "FILE",
            description =
                    "Markdown to go in front of the tables: why a target was missed, what to know of the machine.")
    private @Nullable Path notes;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "The document; replaced.")
    private Path out = Path.of("performance.md");

    private ReportCommand() {}

    @Override
    public Integer call() throws IOException {
        StringBuilder text = new StringBuilder("# Performance\n\n")
                .append(
                        "Written by `signet perf report` from the JSON files of the commands named below. Ratios are within\n")
                .append("one run; absolute figures hold for the machine named.\n\n");
        if (notes != null) {
            text.append(Files.readString(notes)).append('\n');
        }
        for (int run = 1; run <= micro.size(); run++) {
            singleOperations(text, run, read(micro.get(run - 1)));
        }
        if (rr != null) {
            JsonNode file = read(rr);
            section(text, "Round trips through a broker", file);
            table(text, RrTargets.of(file.path("results")));
            roundTrips(text, rows(file));
        }
        if (keys != null) {
            JsonNode file = read(keys);
            section(text, "Keys ahead of need", file);
            table(text, KeysTargets.of(file.path("results")));
            Map<String, List<JsonNode>> experiments = new LinkedHashMap<>();
            rows(file)
                    .forEach(row -> experiments
                            .computeIfAbsent(row.path("experiment").asText(), name -> new ArrayList<>())
                            .add(row));
            experiments.forEach((name, rows) -> {
                title(text, name);
                table(text, new ResultTable(rows, column -> !column.equals("experiment")));
            });
        }
        Files.writeString(out, text, StandardCharsets.UTF_8);
        return 0;
    }

    private static void singleOperations(StringBuilder text, int run, JsonNode file) {
        section(text, run == 1 ? "Single operations" : "Single operations, run " + run, file);
        text.append(MicroTargetLines.markdown(file)).append('\n');
        table(text, new ResultTable(rows(file)));
        titled(text, "Bytes added to 2048, one recipient", file.path("sizes"));
        titled(text, "Time by reuse of keys: T(N) = T-infinity + K / N", file.path("laws"));
    }

    /** Medians, then what they are the medians of, then what clients see that know no key yet. */
    private static void roundTrips(StringBuilder text, List<JsonNode> rows) {
        Set<String> said = Set.of("placement", "journal");
        table(
                text,
                new ResultTable(
                        rows,
                        column ->
                                !said.contains(column) && !column.startsWith("cold.") && !column.startsWith("runs.")));
        title(text, "Least and most of the runs");
        table(
                text,
                new ResultTable(
                        rows,
                        column -> NAMES.contains(column)
                                || column.equals("runs.count")
                                || column.matches("runs\\..*\\.(min|max)")));
        title(text, "Right after connecting, no key known");
        table(text, new ResultTable(rows, column -> NAMES.contains(column) || column.startsWith("cold.")));
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    private static List<JsonNode> rows(JsonNode file) {
        return list(file.path("results"));
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> rows = new ArrayList<>();
        array.forEach(rows::add);
        return rows;
    }

    private static void section(StringBuilder text, String title, JsonNode file) {
        text.append("## ").append(title).append("\n\n");
        if (file.has("command")) {
            text.append("```sh\n").append(file.path("command").asText()).append("\n```\n\n");
        }
        List<String> facts = new ArrayList<>();
        file.path("machine")
                .properties()
                .forEach(
                        fact -> facts.add(fact.getKey() + ": " + fact.getValue().asText()));
        text.append(String.join("; ", facts)).append(".\n\n");
        titled(text, "Failed", file.path("failed"));
    }

    /** Nothing if there are no rows. */
    private static void titled(StringBuilder text, String title, JsonNode rows) {
        if (!rows.isEmpty()) {
            title(text, title);
            table(text, new ResultTable(list(rows)));
        }
    }

    private static void title(StringBuilder text, String title) {
        text.append("### ").append(title).append("\n\n");
    }

    private static void table(StringBuilder text, ResultTable table) {
        text.append(table.markdown()).append('\n');
    }

    private static void table(StringBuilder text, List<Target> targets) {
        text.append(new TargetTable(targets).markdown()).append('\n');
    }
}
