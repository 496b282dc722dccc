/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.variant.Variant;

/** Measures a scenario, one block after the other. */
record RoundTripRun(Scenario scenario, Blocks blocks, Consumer<String> progress) {
    interface Blocks {
        Block.Measured run(Block block) throws Exception;
    }

    /** Returns all rows; if a block fails, those of the runs that were complete before it. */
    List<Row> execute(Parts parts) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        parts.run("warm-up", this::warmUp);
        for (Load load : scenario.loads()) {
            if (parts.failures().isEmpty()) { // else the broker may be no more
                Map<Variant, Row> ofLoad = new LinkedHashMap<>();
                parts.run(load.clients() + " clients", () -> measure(load, ofLoad));
                rows.addAll(ofLoad.values());
            }
        }
        return rows;
    }

    /**
     * Has the code compiled: that takes more processor time than anything measured. It takes no longer than half of the
     * blocks that are measured.
     */
    private void warmUp() throws Exception {
        Map<Variant, Long> done = new LinkedHashMap<>();
        long enough = scenario.warmUp();
        long least = 0;
        for (int round = 0; round < scenario.mostWarmUpRounds() && least < enough; round++) {
            for (Variant variant : scenario.warmUpPlan()) {
                long roundTrips = blocks.run(scenario.warmUpBlock(variant)).roundTrips();
                long sum = done.merge(variant, roundTrips, Long::sum);
                progress.accept("warming up %-28s %6d round trips".formatted(variant.label(), sum));
            }
            least = Collections.min(done.values());
        }
        if (least < enough) {
            progress.accept("warm-up ends before " + enough + " round trips of each: the figures hold some compiling;"
                    + " more --seconds or --runs make it longer");
        }
    }

    private void measure(Load load, Map<Variant, Row> rows) throws Exception {
        int runs = scenario.runs();
        for (int run = 0; run < runs; run++) {
            List<Variant> plan = scenario.plan(run);
            List<Block.Measured> measured = new ArrayList<>();
            for (Variant variant : plan) {
                Block.Measured block = blocks.run(scenario.block(variant, load));
                measured.add(block);
                double rate = block.warm().number(Row.RATE);
                progress.accept("%d/%d  %d clients  %-28s %8.0f round trips/s"
                        .formatted(run + 1, runs, load.clients(), variant.label(), rate));
            }
            for (int i = 0; i < plan.size(); i++) {
                int beside = i % 2; // each second block has no protection, and is compared with itself
                rows.computeIfAbsent(plan.get(i), variant -> new Row(variant, load))
                        .add(measured.get(i), measured.get(i - beside), measured.get(i + beside));
            }
        }
    }
}
