/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.PrintStream;
import java.util.List;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Report;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Target;

/** The table and targets of keys in tokens, from rows as they stand in JSON. */
public record TokenReport(List<Result> rows) implements Report {
    /** The value of the field {@code study} in each row. */
    public static final String STUDY = TokenExperiment.STUDY;

    /** The share of the rate with a key in a file that a token leaves. */
    private static final double LEAST_SHARE = 0.9;

    private static final Table<Result> TABLE = new Table<>(
            Table.text("keys", "%-8s", "keys"),
            Table.text("place", "%-12s", "place"),
            Table.number("messages/s", "%12.0f", "messages_per_s"),
            Table.number("x file", "%8.3f", "share_of_file"),
            Table.number("from", "%8.3f", "share_low"),
            Table.number("to", "%8.3f", "share_high"),
            Table.number("key operations/message", "%24.6f", "key_operations_per_message"));

    void print(PrintStream out) {
        TABLE.print(rows, out);
    }

    @Override
    public List<Target> targets() {
        return rows.stream()
                .filter(row -> !row.is("place", TokenExperiment.FILE))
                .map(row -> Bar.atLeast(LEAST_SHARE)
                        .target(
                                "confidentiality(32) with " + row.text("keys") + ": key in " + row.text("place")
                                        + " / in file",
                                List.of(Figure.scattered(
                                        row.number("share_of_file"),
                                        row.number("share_high") / row.number("share_low")))))
                .toList();
    }

    @Override
    public void draw(ChartFolder folder) {
        // four bars a key: the table shows them
    }
}
