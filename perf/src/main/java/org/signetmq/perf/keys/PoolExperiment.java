/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.signetmq.perf.Parts;

/** E1: pools of keys, compared within blocks in which all but the pool is the same. */
final class PoolExperiment {
    /**
     * How long to look.
     *
     * @param runs of each case, of which the median counts
     * @param run how long each is
     * @param keys the kinds of keys of E1a and E1b, by name; all, if empty
     * @param threads of the sweep
     * @param capacities of the sweep
     */
    record Depth(int runs, UploadRun run, Set<String> keys, List<Integer> threads, List<Integer> capacities) {
        static Depth quick() {
            return new Depth(
                    3,
                    // less and a pool is still learning while it is measured: a key may take a millisecond
                    new UploadRun(Duration.ofMillis(300), Duration.ofMillis(400)),
                    Set.of(
                            "raw",
                            "wrapped R=1",
                            "wrapped R=5",
                            "wrapped R=50",
                            "agreed R=1",
                            "agreed R=20",
                            "service 10 ms"),
                    List.of(1, 4, 32),
                    List.of(100, 2000));
        }

        static Depth full() {
            return new Depth(
                    3,
                    new UploadRun(Duration.ofMillis(500), Duration.ofSeconds(1)),
                    Set.of(),
                    List.of(1, 2, 4, 8, 16, 32),
                    List.of(10, 100, 1000, 2000, 10000));
        }
    }

    /** Outcomes that differ in the pool alone. */
    record Block(String experiment, KeyKind keys, Arrival arrival, FileMix mix, List<UploadRun.Outcome> outcomes) {
        String name() {
            return experiment + " " + keys.name() + ", " + arrival + ", " + mix.name();
        }

        double rate(PoolChoice pool) {
            return outcomes.stream()
                    .filter(outcome -> outcome.of().pool().equals(pool))
                    .mapToDouble(UploadRun.Outcome::filesPerSecond)
                    .findFirst()
                    .orElse(Double.NaN);
        }

        /** The best of the settings that somebody chose by hand, none included. */
        double bestManual() {
            OptionalDouble best = outcomes.stream()
                    .filter(outcome ->
                            outcome.isSteady() && !outcome.of().pool().equals(PoolChoice.AUTO))
                    .mapToDouble(UploadRun.Outcome::filesPerSecond)
                    .max();
            return best.orElse(Double.NaN);
        }

        /** What the published tuning gains; NaN if it is not among the pools. */
        double tuned() {
            return rate(PoolChoice.TUNED) / rate(PoolChoice.DEFAULT);
        }

        double autoShare() {
            return rate(PoolChoice.AUTO) / bestManual();
        }
    }

    private final Depth depth;

    PoolExperiment(Depth depth) {
        this.depth = depth;
    }

    /** The blocks, still without outcomes. */
    private List<Block> blocks() throws Exception {
        List<Block> blocks = new ArrayList<>();
        FileMix published = new FileMix(80);
        for (KeyKind keys : KeyKind.all()) {
            if (!depth.keys().isEmpty() && !depth.keys().contains(keys.name())) {
                continue;
            }
            for (Arrival arrival : Arrival.values()) {
                blocks.add(new Block("E1a/b", keys, arrival, published, List.of()));
            }
        }
        for (KeyKind keys : List.of(KeyKind.wrapped(5), KeyKind.slow(Duration.ofMillis(3)))) {
            blocks.add(new Block("E1c", keys, Arrival.CLOSED, published, List.of()));
            blocks.add(new Block("E1d", keys, Arrival.CLOSED, new FileMix(100), List.of()));
            blocks.add(new Block("E1d", keys, Arrival.CLOSED, new FileMix(0), List.of()));
        }
        return blocks;
    }

    /** Blocks that could be measured. */
    List<Block> run(Parts parts) throws InterruptedException {
        List<Block> done = new ArrayList<>();
        List<Block> blocks = new ArrayList<>();
        parts.run("keys", () -> {
            warmUp();
            blocks.addAll(blocks());
        });
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            String name = block.name();
            System.err.printf("[%d/%d] %s%n", i + 1, blocks.size(), name);
            parts.run(name, () -> done.add(run(block)));
        }
        return done;
    }

    /** So that the first block is not measured in code that is still to be compiled. */
    private static void warmUp() throws Exception {
        UploadRun run = new UploadRun(Duration.ZERO, Duration.ofMillis(500));
        for (KeyKind keys : List.of(KeyKind.raw(), KeyKind.wrapped(1), KeyKind.agreed(1))) {
            for (PoolChoice pool : List.of(PoolChoice.OFF, PoolChoice.of(1, 100))) {
                run.run(new UploadRun.Case(keys, pool, Arrival.SATURATED, new FileMix(80)));
            }
        }
    }

    /** The pools take turns, so that a busy moment of the machine hits all of them. */
    private Block run(Block block) throws InterruptedException, ExecutionException {
        List<PoolChoice> pools = block.experiment().equals("E1c")
                ? PoolChoice.sweep(depth.threads(), depth.capacities())
                : PoolChoice.published();
        Map<PoolChoice, List<UploadRun.Outcome>> runs = new LinkedHashMap<>();
        for (int i = 0; i < depth.runs(); i++) {
            for (PoolChoice pool : pools) {
                UploadRun.Case one = new UploadRun.Case(block.keys(), pool, block.arrival(), block.mix());
                runs.computeIfAbsent(pool, first -> new ArrayList<>())
                        .add(depth.run().run(one));
            }
        }
        List<UploadRun.Outcome> medians =
                runs.values().stream().map(PoolExperiment::median).toList();
        return new Block(block.experiment(), block.keys(), block.arrival(), block.mix(), medians);
    }

    /** Of those that are steady, if any is. */
    private static UploadRun.Outcome median(List<UploadRun.Outcome> outcomes) {
        List<UploadRun.Outcome> steady = outcomes.stream()
                .filter(UploadRun.Outcome::isSteady)
                .sorted(Comparator.comparingDouble(UploadRun.Outcome::filesPerSecond))
                .toList();
        if (steady.isEmpty()) {
            return outcomes.get(0);
        }
        double least = steady.get(0).filesPerSecond();
        double most = steady.get(steady.size() - 1).filesPerSecond();
        return steady.get(steady.size() / 2).withSpread(most / least);
    }
}
