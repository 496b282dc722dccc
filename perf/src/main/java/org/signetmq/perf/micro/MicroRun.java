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

/**
 * Measures rows one after the other, and says how long it will go on.
 *
 * @param runner of the rows
 * @param progress receives a line before each row
 * @param nanoTime a clock
 */
record MicroRun(RowRunner runner, Consumer<String> progress, LongSupplier nanoTime) {
    /** Measures a row, in processes that it starts as it needs. */
    @FunctionalInterface
    interface RowRunner {
        Result measure(Row row) throws IOException, InterruptedException;
    }

    /** Returns the result of every row; those that failed are also reported to the parts. */
    List<Result> execute(List<Row> rows, Parts parts) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        Duration left = rows.stream().map(MicroRun::planned).reduce(Duration.ZERO, Duration::plus);
        Duration done = Duration.ZERO;
        long start = nanoTime.getAsLong();
        for (Row row : rows) {
            Duration estimate = estimate(left, done, Duration.ofNanos(nanoTime.getAsLong() - start));
            String name = row.name() + " " + row.crypto();
            progress.accept("[%d/%d] %s, %d:%02d min left"
                    .formatted(results.size() + 1, rows.size(), name, estimate.toMinutes(), estimate.toSecondsPart()));
            Result result = measure(row);
            results.add(result);
            if (result.has("failure")) {
                parts.fail(name, result.text("failure"));
            }
            left = left.minus(planned(row));
            done = done.plus(planned(row));
        }
        return results;
    }

    private static Duration planned(Row row) {
        return row.depth().of(row.threads());
    }

    /** Returns a time as much longer or shorter than planned as the rows took until now. */
    private static Duration estimate(Duration left, Duration done, Duration took) {
        return done.isZero() ? left : left.multipliedBy(took.toMillis()).dividedBy(done.toMillis());
    }

    private Result measure(Row row) throws InterruptedException {
        try {
            return runner.measure(row);
        } catch (IOException | RuntimeException e) {
            return row.failed(Parts.reason(e));
        }
    }
}
