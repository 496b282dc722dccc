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

    Results execute() throws IOException {
        for (Variant variant : RunPlan.warmUp(scenario.protecting())) {
            progress.accept("warming up " + variant.label());
            measure(new Block(variant, scenario.heaviest(), scenario.warmUp()));
        }
        List<Row> rows = new ArrayList<>();
        for (Load load : scenario.loads()) {
            rows.addAll(rows(load));
        }
        return new Results(rows);
    }

    private List<Row> rows(Load load) throws IOException {
        Map<Variant, List<Sample>> cold = new LinkedHashMap<>();
        Map<Variant, List<Sample>> warm = new LinkedHashMap<>();
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
            for (int i = 0; i < plan.size(); i++) {
                add(cold, plan.get(i), sample(measured, i, Measured::cold));
                add(warm, plan.get(i), sample(measured, i, Measured::warm));
            }
        }
        List<Row> rows = new ArrayList<>();
        warm.forEach((variant, samples) ->
                rows.add(new Row(variant, load, Objects.requireNonNull(cold.get(variant)), samples)));
        return rows;
    }

    private static Sample sample(List<Measured> measured, int at, Function<Measured, Phase.Figures> of) {
        Phase.Figures figures = of.apply(measured.get(at));
        boolean unprotected = at % 2 == 0;
        return unprotected
                ? Sample.unprotected(figures)
                : new Sample(figures, of.apply(measured.get(at - 1)), of.apply(measured.get(at + 1)));
    }

    private static void add(Map<Variant, List<Sample>> samples, Variant variant, Sample sample) {
        samples.computeIfAbsent(variant, first -> new ArrayList<>()).add(sample);
    }

    private record Measured(Phase.Figures cold, Phase.Figures warm) {}

    private Measured measure(Block block) throws IOException {
        BlockResult result = blocks.run(block);
        Phase cold = result.cold();
        Phase warm = result.warm();
        if (cold == null || warm == null) {
            throw new IOException(block.variant().label() + ": " + result.failure());
        }
        return new Measured(cold.figures(), warm.figures());
    }
}
