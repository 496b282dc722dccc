/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.signetmq.perf.micro.Row.Measured;
import org.signetmq.perf.micro.Rows.Depth;
import org.signetmq.perf.result.Parts;

/** Measures batches of rows one after the other, and says how long it will go on. */
final class MicroRun {
    /** Measures rows, in processes that it starts as it needs. */
    @FunctionalInterface
    interface RowRunner {
        /** Returns one result for each row, in order. A result says that its row failed, an exception that all did. */
        List<Measured> measure(Depth depth, List<Row> rows) throws IOException, InterruptedException;
    }

    /** Rows that one runner measures in one go. */
    record Batch(RowRunner runner, Depth depth, List<Row> rows) {
        Batch {
            rows = List.copyOf(rows);
        }

        Duration planned() {
            return rows.stream().map(row -> depth.of(row.threads())).reduce(Duration.ZERO, Duration::plus);
        }

        private String name() {
            Row first = rows.get(0);
            return rows.size() == 1 ? first.name() + " " + first.crypto() : rows.size() + " rows of peers";
        }

        private List<Measured> measure() throws InterruptedException {
            try {
                return runner.measure(depth, rows);
            } catch (IOException | RuntimeException e) {
                return rows.stream().map(row -> row.failed(Parts.reason(e))).toList();
            }
        }
    }

    private final List<Batch> batches;
    private final Consumer<String> progress;
    private final LongSupplier nanoTime;

    MicroRun(List<Batch> batches, Consumer<String> progress, LongSupplier nanoTime) {
        this.batches = batches.stream().filter(batch -> !batch.rows().isEmpty()).toList();
        this.progress = progress;
        this.nanoTime = nanoTime;
    }

    /** Returns the figures of every row; those that failed are also reported to the parts. */
    List<Measured> execute(Parts parts) throws InterruptedException {
        List<Measured> measured = new ArrayList<>();
        int rows = batches.stream().mapToInt(batch -> batch.rows().size()).sum();
        Duration left = batches.stream().map(Batch::planned).reduce(Duration.ZERO, Duration::plus);
        Duration done = Duration.ZERO;
        long start = nanoTime.getAsLong();
        for (Batch batch : batches) {
            Duration estimate = estimate(left, done, Duration.ofNanos(nanoTime.getAsLong() - start));
            progress.accept("[%d/%d] %s, %d:%02d min left"
                    .formatted(
                            measured.size() + batch.rows().size(),
                            rows,
                            batch.name(),
                            estimate.toMinutes(),
                            estimate.toSecondsPart()));
            for (Measured one : batch.measure()) {
                measured.add(one);
                if (one.failure() != null) {
                    parts.fail(one.row().name() + " " + one.row().crypto(), one.failure());
                }
            }
            left = left.minus(batch.planned());
            done = done.plus(batch.planned());
        }
        return measured;
    }

    /** Returns a time as much longer or shorter than planned as the batches took until now. */
    private static Duration estimate(Duration left, Duration done, Duration took) {
        return done.isZero() ? left : left.multipliedBy(took.toMillis()).dividedBy(done.toMillis());
    }
}
