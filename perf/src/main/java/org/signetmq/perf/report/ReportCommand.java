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
import org.signetmq.perf.micro.MicroTargetLines;
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

    @Option(names = "--micro", paramLabel = "FILE", description = "What `signet perf micro --json` wrote.")
    private @Nullable Path micro;

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
        if (micro != null) {
            JsonNode file = read(micro);
            section(text, "Single operations", "./signet perf micro --json micro.json", file);
            text.append(MicroTargetLines.markdown(file)).append('\n');
            text.append(new ResultTable(rows(file), Set.of()).markdown()).append('\n');
        }
        if (rr != null) {
            JsonNode file = read(rr);
            section(text, "Round trips through a broker", "./signet perf rr --json rr.json", file);
            text.append(new ResultTable(rows(file), Set.of("runs", "placement", "journal", "cold")).markdown())
                    .append('\n');
        }
        if (keys != null) {
            JsonNode file = read(keys);
            section(text, "Keys ahead of need", "./signet perf keys --json keys.json", file);
            Map<String, List<JsonNode>> experiments = new LinkedHashMap<>();
            rows(file)
                    .forEach(row -> experiments
                            .computeIfAbsent(row.path("experiment").asText(), name -> new ArrayList<>())
                            .add(row));
            experiments.forEach((name, rows) -> text.append("### ")
                    .append(name)
                    .append("\n\n")
                    .append(new ResultTable(rows, Set.of("experiment")).markdown())
                    .append('\n'));
        }
        Files.writeString(out, text, StandardCharsets.UTF_8);
        return 0;
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    private static List<JsonNode> rows(JsonNode file) {
        List<JsonNode> rows = new ArrayList<>();
        file.path("results").forEach(rows::add);
        return rows;
    }

    private static void section(StringBuilder text, String title, String command, JsonNode file) {
        text.append("## ").append(title).append("\n\n```sh\n").append(command).append("\n```\n\n");
        List<String> facts = new ArrayList<>();
        file.path("machine")
                .properties()
                .forEach(
                        fact -> facts.add(fact.getKey() + ": " + fact.getValue().asText()));
        text.append(String.join("; ", facts)).append(".\n\n");
    }
}
