/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.signetmq.perf.PartFailure;
import org.signetmq.perf.Parts;

/** Measures batches of rows one after the other, and says how long it will go on. */
final class MicroRun {
    /** Rows that one runner measures in one go. */
    record Batch(RowRunner runner, Depth depth, List<RowCatalog.Entry> rows) {
        Batch {
            rows = List.copyOf(rows);
        }

        /** How long it takes about. */
        Duration planned() {
            return rows.stream().map(row -> depth.of(row.threads())).reduce(Duration.ZERO, Duration::plus);
        }

        private String name() {
            RowCatalog.Entry first = rows.get(0);
            return rows.size() == 1 ? first.name() + " " + first.crypto() : rows.size() + " rows of peers";
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

    /** What every row came to; those that failed are also told to the parts. */
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
            List<Measured> results = measure(batch);
            results.stream()
                    .filter(Measured::failed)
                    .map(row ->
                            new PartFailure(row.row().name() + " " + row.row().crypto(), reason(row)))
                    .forEach(parts::failed);
            measured.addAll(results);
            left = left.minus(batch.planned());
            done = done.plus(batch.planned());
        }
        return measured;
    }

    private static List<Measured> measure(Batch batch) throws InterruptedException {
        try {
            return batch.runner().measure(batch.depth(), batch.rows());
        } catch (IOException | RuntimeException e) {
            String reason = PartFailure.of("", e).reason();
            return batch.rows().stream()
                    .map(row -> Measured.failed(row, reason))
                    .toList();
        }
    }

    /** As much slower or faster than planned as until now. */
    private static Duration estimate(Duration left, Duration done, Duration took) {
        return done.isZero() ? left : left.multipliedBy(took.toMillis()).dividedBy(done.toMillis());
    }

    private static String reason(Measured row) {
        return row.failure() == null ? "no figure" : row.failure();
    }
}
