/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.pair.Part;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Published;
import org.signetmq.perf.run.Runner;

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
        List<Experiment> all = new ArrayList<>(AmsExperiments.ALL);
        all.addAll(List.of(
                MailboxExperiment.MAILBOX,
                DigestExperiment.DIGEST,
                FilesystemExperiment.FILESYSTEM,
                keys(List.of()),
                micro("", ".*")));
        return all;
    }

    /** Returns the experiment of data keys; with tokens, these URIs name the keys that it compares instead. */
    public static Experiment keys(List<String> tokens) {
        return KeysExperiment.of(tokens);
    }

    /**
     * Returns the experiment of single operations.
     *
     * @param peers the jar of other systems; empty for none
     * @param rows matches the names of the operations that are measured
     */
    public static Experiment micro(String peers, String rows) {
        return MicroExperiment.of(peers, rows);
    }

    /** Returns the experiment with this name. */
    public static Experiment named(String name) {
        return all().stream()
                .filter(experiment -> experiment.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("experiment: unknown " + name));
    }
}
