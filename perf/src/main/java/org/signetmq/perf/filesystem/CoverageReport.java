/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.setting.Setting;

/** The table and the bars of {@link Coverage}, from its rows as they stand in JSON. */
record CoverageReport(List<Result> rows) {
    private static final List<String> FILES = List.of(Coverage.JOURNAL, Coverage.PAGES, Coverage.LARGE);
    private static final List<String> CONNECTIONS = List.of(Coverage.TO_BROKER, Coverage.TO_CONSUMERS);
    private static final List<String> ALL = Stream.of(
                    FILES.stream(), Stream.of(Coverage.STORED, Coverage.MEMORY), CONNECTIONS.stream())
            .flatMap(places -> places)
            .toList();

    private static final Table<Result> TABLE = new Table<>(
            Table.text("setting", "%-34s", Loss.SETTING),
            Table.number("journal", "%7.0f", Coverage.JOURNAL),
            Table.number("paging", "%7.0f", Coverage.PAGES),
            Table.number("large", "%7.0f", Coverage.LARGE),
            Table.number("stored", "%7.0f", Coverage.STORED),
            Table.number("memory", "%7.0f", Coverage.MEMORY),
            Table.number("to broker", "%9.0f", Coverage.TO_BROKER),
            Table.number("to consumers", "%12.0f", Coverage.TO_CONSUMERS));

    /** Returns the rows without what only repeats the setting. */
    List<Result> json() {
        return rows.stream()
                .map(row -> {
                    Result shown = Result.EMPTY.with(Loss.SETTING, row.text(Loss.SETTING));
                    for (String place : ALL) {
                        shown = shown.with(place, row.number(place));
                    }
                    return shown;
                })
                .toList();
    }

    /** Prints the table, if there are rows. */
    void print(PrintStream out) {
        if (!rows.isEmpty()) {
            out.printf("%nhow often payloads are found in clear: in files as programs see them, in the bytes below the"
                    + " file system, in the heap of the broker and on connections%n");
            TABLE.print(json(), out);
        }
    }

    /** Returns the bars for Signet, and what must hold for the others, or the search finds nothing anywhere. */
    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        Setting none = Comparison.DIRECTORY.baseline();
        for (Result row : rows) {
            String setting = row.text(Loss.SETTING);
            if (row.is(Loss.SETTING, none.label())) {
                targets.add(found(row, "shape: payloads found in each place", ALL));
            } else if (row.is("transport", "tls")) {
                targets.add(notFound(row, "shape: payloads found on connections", CONNECTIONS));
                targets.add(found(row, "shape: payloads found in each kind of file", FILES));
            } else if (isOf(Comparison.fileSystems(), setting)) {
                targets.add(notFound(row, "shape: payloads found below the file system", List.of(Coverage.STORED)));
                targets.add(found(row, "shape: payloads found by programs in each kind of file", FILES));
            } else if (row.is(Loss.SETTING, Comparison.signet().label())) {
                targets.add(notFound(
                        row,
                        "payloads found on the disk or towards consumers",
                        Stream.concat(FILES.stream(), Stream.of(Coverage.STORED, Coverage.TO_CONSUMERS))
                                .toList()));
            } else if (isOf(Comparison.ofSignet(), setting)) {
                targets.add(notFound(row, "payloads found anywhere outside the clients", ALL));
            }
        }
        return targets;
    }

    private static boolean isOf(List<Setting> settings, String label) {
        return settings.stream().anyMatch(setting -> setting.label().equals(label));
    }

    private static Target found(Result row, String what, List<String> places) {
        double least = places.stream().mapToDouble(row::number).min().orElseThrow();
        return Bar.atLeast(1).target(name(row, what), List.of(Figure.exact(least)));
    }

    private static Target notFound(Result row, String what, List<String> places) {
        double sum = places.stream().mapToDouble(row::number).sum();
        return Bar.atMost(0).target(name(row, what), List.of(Figure.exact(sum)));
    }

    private static String name(Result row, String what) {
        return "coverage, " + row.text(Loss.SETTING) + ": " + what;
    }
}
