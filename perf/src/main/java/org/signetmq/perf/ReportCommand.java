/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.experiment.Experiment;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Bar.Verdict;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.ResultFile;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.result.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code signet perf report}. */
@Command(
        name = "report",
        description = {
            "Writes the tables of measured rows into a page of Markdown.",
            "A page has places such as <!-- costs --> and <!-- end -->: what stands between them is replaced. The places"
                    + " are machine, costs, proof, pq, loop, published and missed. A new page gets all of them."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf report docs/measured/reference.csv --charts docs/charts --out docs/performance.md",
            "  signet perf report mine.csv --out mine.md"
        })
final class ReportCommand implements Callable<Integer> {
    private static final Pattern PLACE = Pattern.compile("(<!-- ([a-z]+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);
    /** The loads that say what a message costs: one client, some, and many. */
    private static final String ONE = "1";

    private static final String SOME = "32";
    private static final String MANY = "81";

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "What commands of `signet perf` wrote with --out.")
    private List<Path> files = List.of();

    @Option(
            names = "--charts",
            paramLabel = "DIR",
            description = "Draw a chart for each published paper there, as PNG.")
    private @Nullable Path charts;

    @Option(names = "--out", required = true, paramLabel = "PAGE", description = "The page.")
    private Path out = Path.of("performance.md");

    private ReportCommand() {}

    @Override
    public Integer call() throws IOException {
        List<String> notes = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new IOException(file + ": cannot be read; give a file of --out");
            }
            ResultFile measured = ResultFile.read(file);
            notes.addAll(measured.notes());
            rows.addAll(measured.rows());
        }
        Map<String, String> places = places(notes, rows);
        String page = Files.exists(out) ? Files.readString(out) : newPage(places);
        Files.writeString(out, filled(page, places));
        if (charts != null) {
            for (Experiment experiment : Experiment.all()) {
                if (experiment.chart() != null) {
                    Path file = charts.resolve(experiment.name().replace(' ', '-') + ".png");
                    experiment.chart().draw(of(experiment, rows), file);
                }
            }
        }
        return 0;
    }

    private static String newPage(Map<String, String> places) {
        StringBuilder page = new StringBuilder("# Performance\n");
        places.keySet()
                .forEach(name -> page.append("\n## %s%s\n\n<!-- %s -->\n<!-- end -->\n"
                        .formatted(name.substring(0, 1).toUpperCase(Locale.ROOT), name.substring(1), name)));
        return page.toString();
    }

    /** Fills the places of a page. */
    static String filled(String page, Map<String, String> places) {
        return PLACE.matcher(page).replaceAll(place -> {
            String text = places.get(place.group(2));
            return Matcher.quoteReplacement(text == null ? place.group() : place.group(1) + text + place.group(3));
        });
    }

    /** Returns the text of each place. */
    static Map<String, String> places(List<String> notes, List<Row> rows) {
        Map<String, String> places = new LinkedHashMap<>();
        Map<String, List<String>> runs = notes.stream()
                .map(note -> note.split(": ", 2))
                .collect(groupingBy(note -> note[1], LinkedHashMap::new, mapping(note -> note[0], toList())));
        StringBuilder machines = new StringBuilder();
        runs.forEach((machine, names) -> machines.append("- %s: %s\n".formatted(String.join(", ", names), machine)));
        places.put("machine", machines.toString());
        places.put("costs", new Table(COSTS, costs(rows, "rr", "figure 1")).markdown());
        places.put("proof", table(COSTS, costs(rows, "proof")));
        places.put("pq", table(COSTS, costs(rows, "pq")));
        places.put("loop", table(LOOP, loop(rows)));
        places.put(
                "published",
                saying(Experiment.published(Experiment.all(), experiment -> of(experiment, rows)))
                        .markdown());
        places.put("missed", missed(rows));
        return places;
    }

    /** Leaves out the published figures of which each measurement here is noisy. */
    private static Table saying(Table published) {
        return new Table(
                published.columns(),
                published.rows().stream()
                        .filter(row -> Stream.of("same manner here", "Signet")
                                .anyMatch(column -> !Double.isNaN(row.number(column))))
                        .toList());
    }

    private static List<Row> of(Experiment experiment, List<Row> rows) {
        return rows.stream()
                .filter(row -> row.text(ExperimentCommand.EXPERIMENT).equals(experiment.name()))
                .toList();
    }

    /** Returns a table; nothing if nothing was measured. */
    private static String table(List<String> columns, List<Row> rows) {
        return rows.isEmpty() ? "" : new Table(columns, rows).markdown();
    }

    private static final List<String> COSTS = List.of(
            "setting",
            "share of none, 32 clients",
            "share of none, 81 clients",
            "µs of processor a message",
            "p50 of one client, ms",
            "bytes more on the wire",
            "bytes more in the journal");

    /** Returns a row for each setting of the first of these experiments that was measured. */
    private static List<Row> costs(List<Row> all, String... experiments) {
        List<Row> rows = Stream.of(experiments)
                .map(name -> of(Experiment.named(name), all))
                .filter(of -> !of.isEmpty())
                .findFirst()
                .orElse(List.of());
        return rows.stream()
                .map(row -> row.text("setting"))
                .distinct()
                .map(setting -> Row.of("setting", setting)
                        .with(COSTS.get(1), share(find(rows, setting, SOME)))
                        .with(COSTS.get(2), share(find(rows, setting, MANY)))
                        .with(COSTS.get(3), micros(find(rows, setting, MANY)))
                        .with(COSTS.get(4), find(rows, setting, ONE).number("p50_us") / 1e3)
                        .with(COSTS.get(5), more("wire_bytes", rows, setting))
                        .with(COSTS.get(6), more("disk_bytes", rows, setting)))
                .toList();
    }

    private static final List<String> LOOP = List.of("setting", "seal, µs", "open, µs", "bytes added to 2,048");
    /** A setting whose bytes were measured: quality, reuse of keys, kind of key, and form of the certificate. */
    private static final Pattern SIZED = Pattern.compile("([a-z.]+)(\\.32)?(\\.[a-z0-9]+)( .*)?");

    /**
     * Returns what sealing and opening in a loop take and add, for each setting whose bytes were measured. A later file
     * replaces the figures of an earlier one.
     */
    private static List<Row> loop(List<Row> all) {
        List<Row> rows = of(Experiment.named("micro"), all);
        Map<String, Row> sized = new LinkedHashMap<>();
        rows.stream().filter(row -> row.has("bytes_added")).forEach(row -> sized.put(row.text("setting"), row));
        return sized.values().stream()
                .flatMap(row -> SIZED.matcher(row.text("setting")).results().map(name -> {
                    String reuse = name.group(2) == null ? ".0" : name.group(2);
                    Row seal = find(rows, "seal." + name.group(1) + reuse + name.group(3), ONE);
                    Row open = find(rows, "open." + name.group(1) + ".warm" + name.group(3), ONE);
                    return Row.of("setting", name.group())
                            .with(LOOP.get(1), seal.number("us"))
                            .with(LOOP.get(2), open.number("us"))
                            .with(LOOP.get(3), row.number("bytes_added"));
                }))
                .toList();
    }

    private static Row find(List<Row> rows, String setting, String clients) {
        return rows.stream()
                .filter(row -> row.matches(Map.of("setting", setting, "clients", clients)))
                .reduce((earlier, later) -> later)
                .orElse(Row.EMPTY);
    }

    private static String share(Row row) {
        if (!row.has("share") || Pick.isNoisy(row)) {
            return row.has("share") ? "noisy" : "";
        }
        Object[] shares =
                Stream.of("share", "share_low", "share_high").map(row::number).toArray();
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", shares);
    }

    private static Object micros(Row row) {
        double micros = row.number("added_cpu_ms") * 1_000 / 2;
        return Pick.isNoisy(row) ? "noisy" : Double.isNaN(micros) ? micros : (double) Math.round(micros);
    }

    private static double more(String column, List<Row> rows, String setting) {
        double more = find(rows, setting, MANY).number(column)
                - find(rows, "none", MANY).number(column);
        return Double.isNaN(more) ? more : Math.round(more);
    }

    /** Says how many bars were met, and lists those that were missed. Noisy ones prove nothing, and are left out. */
    private static String missed(List<Row> rows) {
        List<Row> missed = new ArrayList<>();
        int met = 0;
        int noisy = 0;
        for (Experiment experiment : Experiment.all()) {
            List<Row> own = of(experiment, rows);
            for (Bar bar : experiment.bars()) {
                Verdict verdict = bar.verdict(own);
                met += verdict == Verdict.MET ? 1 : 0;
                noisy += verdict == Verdict.NOISY ? 1 : 0;
                if (verdict == Verdict.MISSED) {
                    missed.add(Row.of("experiment", experiment.name()).and(bar.in(own)));
                }
            }
        }
        return "Of the bars, " + met + " are met and " + missed.size() + " missed. For " + noisy
                + " the figures scatter too much to say.\n\n"
                + new Table(List.of("experiment", "bar", "measured", "wanted"), missed).markdown();
    }
}
