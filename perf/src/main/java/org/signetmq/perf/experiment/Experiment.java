/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.pair.Part;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Published;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.result.Table;

/**
 * An experiment: what is measured, what it is held against, and how it is shown.
 *
 * @param name of the command, such as {@code figure 1}
 * @param title in one line
 * @param source of the published figures, and how they were read; empty if nothing is published
 * @param bars for Signet, and the shapes that the published manner must show
 * @param published figures beside ours
 * @param chart null if the tables say all
 */
public record Experiment(
        String name,
        String title,
        String source,
        Measurement measurement,
        List<Bar> bars,
        List<Published> published,
        @Nullable Chart chart) {
    /** Measures, and adds rows to the runner. */
    @FunctionalInterface
    public interface Measurement {
        void run(Runner runner) throws Exception;
    }

    /** Returns a measurement of these parts, one after the other. */
    static Measurement parts(List<Part> full, List<Part> quick) {
        return runner -> {
            for (Part part : runner.isQuick() ? quick : full) {
                part.measure(runner, Map.of());
            }
        };
    }

    /** Returns all experiments, in the order of documents. */
    public static List<Experiment> all() {
        List<Experiment> others = List.of(
                MailboxExperiment.MAILBOX,
                DigestExperiment.DIGEST,
                FilesystemExperiment.FILESYSTEM,
                KeysExperiment.of(List.of()),
                MicroExperiment.of("", ".*"));
        return joined(AmsExperiments.ALL, others);
    }

    /** Returns these lists as one. */
    @SafeVarargs
    static <T> List<T> joined(List<? extends T>... lists) {
        List<T> all = new ArrayList<>();
        for (List<? extends T> list : lists) {
            all.addAll(list);
        }
        return List.copyOf(all);
    }

    /** Returns a table of the published figures of experiments, those with figures of ours beside them. */
    public static Table published(List<Experiment> experiments, Function<Experiment, List<Row>> rows) {
        List<Row> figures = experiments.stream()
                .flatMap(experiment -> experiment.published.stream().map(figure -> figure.in(rows.apply(experiment))))
                .filter(row -> row.has("same manner here") || row.has("Signet"))
                .toList();
        return new Table(List.of("figure", "published", "same manner here", "Signet"), figures);
    }

    /** Returns the experiment with this name. */
    public static Experiment named(String name) {
        return all().stream()
                .filter(experiment -> experiment.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("experiment: unknown " + name));
    }
}
