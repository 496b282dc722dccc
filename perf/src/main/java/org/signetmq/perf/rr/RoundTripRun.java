/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.signetmq.perf.Parts;

/** Measures a scenario, one block after the other. */
final class RoundTripRun {
    private final Scenario scenario;
    private final Blocks blocks;
    private final Consumer<String> progress;

    /** Runs blocks, wherever that is. */
    interface Blocks {
        BlockResult run(Block block) throws IOException;
    }

    RoundTripRun(Scenario scenario, Blocks blocks, Consumer<String> progress) {
        this.scenario = scenario;
        this.blocks = blocks;
        this.progress = progress;
    }

    /** All rows; if a block fails, those of the runs that were complete before it. */
    Results execute(Parts parts) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        parts.run("warm-up", this::warmUp);
        for (Load load : scenario.loads()) {
            if (parts.failures().isEmpty()) { // else the broker may be no more
                Samples samples = new Samples();
                parts.run(load.clients() + " clients", () -> measure(load, samples));
                rows.addAll(samples.rows(load));
            }
        }
        return new Results(rows);
    }

    /**
     * Compiling costs more processor time than anything measured: it should be over before. But whoever wants only a
     * glance does not wait longer for it than for half of what is measured.
     */
    private void warmUp() throws IOException {
        if (scenario.warmUp() == 0) {
            return;
        }
        List<Variant> plan = RunPlan.warmUp(scenario.protecting());
        Block.Times times = scenario.times().withoutCold();
        long roundMillis = plan.size() * times.warmMillis();
        long mostRounds = Math.max(1, scenario.measuredMillis() / 2 / roundMillis);
        Map<Variant, Long> done = new LinkedHashMap<>();
        for (int round = 1; round <= mostRounds && !isWarm(done); round++) {
            for (Variant variant : plan) {
                BlockResult result = blocks.run(new Block(variant, scenario.heaviest(), times));
                done.merge(variant, result.roundTrips(), Long::sum);
                progress.accept("warming up %-28s %6d round trips".formatted(variant.label(), done.get(variant)));
            }
        }
        if (!isWarm(done)) {
            progress.accept(
                    "warm-up ends before %d round trips of each: the figures hold some compiling; more --seconds"
                                    .formatted(scenario.warmUp())
                            + " or --runs make it longer");
        }
    }

    private boolean isWarm(Map<Variant, Long> done) {
        return !done.isEmpty() && done.values().stream().allMatch(count -> count >= scenario.warmUp());
    }

    /** What the complete runs of one load came to. */
    private static final class Samples {
        private final Map<Variant, List<Sample>> cold = new LinkedHashMap<>();
        private final Map<Variant, List<Sample>> warm = new LinkedHashMap<>();

        void add(List<Variant> plan, List<Measured> measured) {
            for (int i = 0; i < plan.size(); i++) {
                add(cold, plan.get(i), sample(measured, i, Measured::cold));
                add(warm, plan.get(i), sample(measured, i, Measured::warm));
            }
        }

        private static void add(Map<Variant, List<Sample>> samples, Variant variant, Sample sample) {
            samples.computeIfAbsent(variant, first -> new ArrayList<>()).add(sample);
        }

        List<Row> rows(Load load) {
            List<Row> rows = new ArrayList<>();
            warm.forEach((variant, samples) ->
                    rows.add(new Row(variant, load, Objects.requireNonNull(cold.get(variant)), samples)));
            return rows;
        }
    }

    private void measure(Load load, Samples samples) throws IOException {
        for (int run = 0; run < scenario.runs(); run++) {
            List<Variant> plan = RunPlan.interleaved(scenario.protecting(), run);
            List<Measured> measured = new ArrayList<>();
            for (Variant variant : plan) {
                Measured block = measure(new Block(variant, load, scenario.times()));
                measured.add(block);
                progress.accept("%d/%d  %d clients  %-28s %8.0f round trips/s"
                        .formatted(
                                run + 1,
                                scenario.runs(),
                                load.clients(),
                                variant.label(),
                                block.warm().rate()));
            }
            samples.add(plan, measured);
        }
    }

    private static Sample sample(List<Measured> measured, int at, Function<Measured, Phase.Figures> of) {
        Phase.Figures figures = of.apply(measured.get(at));
        boolean unprotected = at % 2 == 0;
        return unprotected
                ? Sample.unprotected(figures)
                : new Sample(figures, of.apply(measured.get(at - 1)), of.apply(measured.get(at + 1)));
    }

    private record Measured(Phase.Figures cold, Phase.Figures warm) {}

    private Measured measure(Block block) throws IOException {
        BlockResult result = blocks.run(block);
        return new Measured(result.cold().figures(), result.warm().figures());
    }
}
