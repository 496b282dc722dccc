/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.variant.Variant;

/** Measures a scenario, one block after the other. */
final class RoundTripRun {
    private final Scenario scenario;
    private final Blocks blocks;
    private final Consumer<String> progress;

    interface Blocks {
        Block.Measured run(Block block) throws Exception;
    }

    RoundTripRun(Scenario scenario, Blocks blocks, Consumer<String> progress) {
        this.scenario = scenario;
        this.blocks = blocks;
        this.progress = progress;
    }

    /** Returns all rows; if a block fails, those of the runs that were complete before it. */
    List<Row> execute(Parts parts) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        parts.run("warm-up", this::warmUp);
        for (Load load : scenario.loads()) {
            if (parts.failures().isEmpty()) { // else the broker may be no more
                Map<Variant, Row> measured = new LinkedHashMap<>();
                parts.run(load.clients() + " clients", () -> measure(load, measured));
                rows.addAll(measured.values());
            }
        }
        return rows;
    }

    /**
     * Has the code compiled: that takes more processor time than anything measured. It takes no longer than half of the
     * blocks that are measured.
     */
    private void warmUp() throws Exception {
        long enough = scenario.repetition().warmUp();
        Map<Variant, Long> done = new LinkedHashMap<>();
        scenario.warmUpPlan().forEach(variant -> done.put(variant, 0L));
        for (int round = 0; round < scenario.mostWarmUpRounds() && !isWarm(done, enough); round++) {
            for (Variant variant : scenario.warmUpPlan()) {
                long roundTrips = blocks.run(scenario.warmUpBlock(variant)).roundTrips();
                long sum = done.merge(variant, roundTrips, Long::sum);
                progress.accept("warming up %-28s %6d round trips".formatted(variant.label(), sum));
            }
        }
        if (!isWarm(done, enough)) {
            progress.accept(
                    "warm-up ends before %d round trips of each: the figures hold some compiling; more --seconds"
                                    .formatted(enough)
                            + " or --runs make it longer");
        }
    }

    private static boolean isWarm(Map<Variant, Long> done, long enough) {
        return done.values().stream().allMatch(roundTrips -> roundTrips >= enough);
    }

    private void measure(Load load, Map<Variant, Row> rows) throws Exception {
        int runs = scenario.repetition().runs();
        for (int run = 0; run < runs; run++) {
            List<Variant> plan = scenario.plan(run);
            List<Block.Measured> measured = new ArrayList<>();
            for (Variant variant : plan) {
                Block.Measured block = blocks.run(scenario.block(variant, load));
                measured.add(block);
                progress.accept("%d/%d  %d clients  %-28s %8.0f round trips/s"
                        .formatted(
                                run + 1,
                                runs,
                                load.clients(),
                                variant.label(),
                                block.warm().number(Row.RATE)));
            }
            for (int i = 0; i < plan.size(); i++) {
                boolean isUnprotected = i % 2 == 0;
                Block.Measured before = measured.get(isUnprotected ? i : i - 1);
                Block.Measured after = measured.get(isUnprotected ? i : i + 1);
                rows.computeIfAbsent(plan.get(i), variant -> new Row(variant, load))
                        .add(measured.get(i), before, after);
            }
        }
    }
}
