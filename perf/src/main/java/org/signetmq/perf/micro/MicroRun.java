/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;

/** Measures rows one after the other, and says before each of them how long it will go on. */
record MicroRun(RowRunner runner, Consumer<String> progress, LongSupplier nanoTime) {
    /** Measures a row, in processes that it starts as it needs. */
    @FunctionalInterface
    interface RowRunner {
        /** Returns the figures; an exception says why there are none. */
        Result measure(Row row) throws IOException, InterruptedException;
    }

    /** Returns the result of every row. Those that failed have no figures; the parts know why. */
    List<Result> execute(List<Row> rows, Parts parts) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        long start = nanoTime.getAsLong();
        for (Row row : rows) {
            Duration left = left(rows, results.size(), Duration.ofNanos(nanoTime.getAsLong() - start));
            String name = row.name() + " " + row.crypto();
            progress.accept("[%d/%d] %s, %d:%02d min left"
                    .formatted(results.size() + 1, rows.size(), name, left.toMinutes(), left.toSecondsPart()));
            try {
                results.add(runner.measure(row));
            } catch (IOException | RuntimeException e) {
                parts.fail(name, Parts.reason(e));
                results.add(row.measured(Double.NaN, Double.NaN, Double.NaN));
            }
        }
        return results;
    }

    /** Returns a time as much longer or shorter than planned as the rows took until now. */
    private static Duration left(List<Row> rows, int done, Duration took) {
        Duration left = planned(rows.subList(done, rows.size()));
        Duration before = planned(rows.subList(0, done));
        return done == 0 ? left : left.multipliedBy(took.toMillis()).dividedBy(before.toMillis());
    }

    private static Duration planned(List<Row> rows) {
        return rows.stream().map(row -> row.depth().of(row.threads())).reduce(Duration.ZERO, Duration::plus);
    }
}
