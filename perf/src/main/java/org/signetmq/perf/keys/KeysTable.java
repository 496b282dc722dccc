/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** The key experiments as tables. */
final class KeysTable {
    /** Of (32,1000) over (4,100), where making keys was what limited. */
    private static final double PUBLISHED_GAIN = 1.25;

    private final PrintStream out;

    KeysTable(PrintStream out) {
        this.out = out;
    }

    void pools(List<PoolExperiment.Block> blocks) {
        out.printf(
                "%-6s %-14s %-12s %-6s %-11s %10s %8s %10s %10s %6s%n",
                "exp", "keys", "arrival", "mix", "pool", "files/s", "x off", "p50 us", "p99 us", "dry");
        for (PoolExperiment.Block block : blocks) {
            for (UploadRun.Outcome outcome : block.outcomes()) {
                out.printf(
                        "%-6s %-14s %-12s %-6s %-11s %10s %8s %10.1f %10.1f %6.2f%n",
                        block.experiment(),
                        block.keys().name(),
                        block.arrival(),
                        block.mix().name(),
                        outcome.of().pool().name(),
                        outcome.isSteady() ? String.format("%.0f", outcome.filesPerSecond()) : "unsteady",
                        number(outcome.filesPerSecond() / block.rate(PoolChoice.OFF)),
                        outcome.p50Micros(),
                        outcome.p99Micros(),
                        outcome.dryShare());
            }
        }
    }

    /**
     * Where the published tuning gains what was published, what pooling can gain at all, and whether auto gains it
     * without tuning.
     */
    void auto(List<PoolExperiment.Block> blocks) {
        out.printf(
                "%n%-6s %-14s %-12s %-6s %13s %5s %9s %10s %5s%n",
                "exp", "keys", "arrival", "mix", "tuned/default", "+25%", "best/off", "auto/best", "met");
        for (PoolExperiment.Block block : blocks) {
            double tuned = block.tuned();
            double share = block.autoShare();
            out.printf(
                    "%-6s %-14s %-12s %-6s %13s %5s %9.2f %10.2f %5s%n",
                    block.experiment(),
                    block.keys().name(),
                    block.arrival(),
                    block.mix().name(),
                    number(tuned),
                    Double.isNaN(tuned) ? "" : yesOrNo(tuned >= PUBLISHED_GAIN),
                    block.bestManual() / block.rate(PoolChoice.OFF),
                    share,
                    yesOrNo(share >= KeysTargets.AUTO_SHARE));
        }
        long met = blocks.stream()
                .filter(block -> block.autoShare() >= KeysTargets.AUTO_SHARE)
                .count();
        out.printf(
                "%nauto reaches %.0f %% of the best manual setting in %d of %d situations; tuned: %s, default: %s%n",
                100 * KeysTargets.AUTO_SHARE, met, blocks.size(), PoolChoice.TUNED.name(), PoolChoice.DEFAULT.name());
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format("%.2f", value);
    }

    private static String yesOrNo(boolean yes) {
        return yes ? "yes" : "no";
    }

    void heap(Map<String, Double> bytesPerKey) {
        out.printf("%n%-14s %16s%n", "keys", "heap bytes/key");
        bytesPerKey.forEach((kind, bytes) -> out.printf("%-14s %16.0f%n", kind, bytes));
    }

    void unwraps(List<UnwrapCount.Outcome> outcomes) {
        out.printf("%nE3b, reuse 32%n%-10s %8s %20s %5s%n", "producers", "cache", "unwraps/message", "met");
        for (UnwrapCount.Outcome outcome : outcomes) {
            String met = outcome.isContrast() ? "" : yesOrNo(outcome.isMet());
            out.printf(
                    "%-10d %8d %20.5f %5s%n", outcome.producers(), outcome.cache(), outcome.unwrapsPerMessage(), met);
        }
    }
}
