/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.setting.Setting;

/** The table and the bars of {@link ColdReads}, from its rows as they stand in JSON. */
record ColdReport(List<Result> rows) {
    private static final String SIZE = "size";
    private static final String SHARE = "share_of_none";

    private static final Table<Result> TABLE = new Table<>(
            Table.text("setting", "%-34s", Loss.SETTING),
            Table.text("bytes", "%6d", SIZE),
            Table.number("messages/s", "%10.0f", Pair.MESSAGES_PER_S, ""),
            Table.number("of none", "%7.3f", SHARE, ""),
            Table.number("broker ms", "%9.4f", "cpu_ms_per_message.broker", ""),
            Table.number("client ms", "%9.4f", "cpu_ms_per_message.client", ""),
            Table.number("disk ms", "%8.4f", "cpu_ms_per_message.disk", ""),
            Table.number("spread", "%6.2f", ColdReads.SPREAD, ""));

    /** Returns a row for each setting and size, with its share of the rate without encryption on the same disk. */
    List<Result> json() {
        List<Result> all = new ArrayList<>();
        for (Comparison comparison : Comparison.values()) {
            for (Setting setting : comparison.settings()) {
                for (int size : ColdReads.SIZES) {
                    drained(setting, size)
                            .ifPresent(drained -> all.add(Result.EMPTY
                                    .with(Loss.SETTING, setting.label())
                                    .with(SIZE, size)
                                    .and(drained)
                                    .with(
                                            SHARE,
                                            share(comparison, setting, size).value())));
                }
            }
        }
        return all;
    }

    private Optional<Result> drained(Setting setting, int size) {
        return rows.stream()
                .filter(row -> row.is(Loss.SETTING, setting.label()) && row.has(ColdReads.field(size)))
                .findFirst()
                .map(row -> new Result(row.field(ColdReads.field(size))));
    }

    private Figure share(Comparison comparison, Setting setting, int size) {
        return rate(setting, size).over(rate(comparison.baseline(), size));
    }

    private Figure rate(Setting setting, int size) {
        return drained(setting, size)
                .map(row -> Figure.scattered(row.number(Pair.MESSAGES_PER_S), row.number(ColdReads.SPREAD)))
                .orElse(Figure.exact(Double.NaN));
    }

    /** Prints the table, if there are rows. */
    void print(PrintStream out) {
        if (!rows.isEmpty()) {
            out.printf("%nqueues drained after a restart, with nothing in the cache of the operating system;"
                    + " of none: on the same kind of disk%n");
            TABLE.print(json(), out);
        }
    }

    /** Returns the bars: messages sealed by Signet are drained no slower than files that the kernel decrypts. */
    List<Target> targets() {
        return rows.isEmpty()
                ? List.of()
                : ColdReads.SIZES.stream().flatMap(this::targets).toList();
    }

    private Stream<Target> targets(int size) {
        Figure fscrypt = share(Comparison.IMAGE, Comparison.fileSystems().get(1), size);
        return Comparison.ofSignet().stream()
                .map(setting -> Bar.atLeast(1)
                        .target(
                                "cold, " + size + " bytes: "
                                        + setting.protection().label() + " rate, of none / that of fscrypt",
                                List.of(share(Comparison.DIRECTORY, setting, size)
                                        .over(fscrypt))));
    }
}
