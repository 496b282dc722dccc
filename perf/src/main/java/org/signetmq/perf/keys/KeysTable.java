/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** The key experiments as tables. */
final class KeysTable {
    private static final double AUTO_SHARE = 0.95;
    private static final double MOST_UNWRAPS = 1.05 / UnwrapCount.REUSE;

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
                        "%-6s %-14s %-12s %-6s %-11s %10.0f %8.2f %10.1f %10.1f %6.2f%n",
                        block.experiment(),
                        block.keys().name(),
                        block.arrival(),
                        block.mix().name(),
                        outcome.of().pool().name(),
                        outcome.filesPerSecond(),
                        outcome.filesPerSecond() / block.rate(PoolChoice.OFF),
                        outcome.p50Micros(),
                        outcome.p99Micros(),
                        outcome.dryShare());
            }
        }
    }

    /** What pooling can gain, and whether auto gains it too. */
    void auto(List<PoolExperiment.Block> blocks) {
        out.printf(
                "%n%-6s %-14s %-12s %-6s %12s %12s %5s%n",
                "exp", "keys", "arrival", "mix", "best/off", "auto/best", "met");
        for (PoolExperiment.Block block : blocks) {
            double share = block.rate(PoolChoice.AUTO) / block.bestManual();
            out.printf(
                    "%-6s %-14s %-12s %-6s %12.2f %12.2f %5s%n",
                    block.experiment(),
                    block.keys().name(),
                    block.arrival(),
                    block.mix().name(),
                    block.bestManual() / block.rate(PoolChoice.OFF),
                    share,
                    share >= AUTO_SHARE ? "yes" : "no");
        }
    }

    void heap(Map<String, Double> bytesPerKey) {
        out.printf("%n%-14s %16s%n", "keys", "heap bytes/key");
        bytesPerKey.forEach((kind, bytes) -> out.printf("%-14s %16.0f%n", kind, bytes));
    }

    void unwraps(List<UnwrapCount.Outcome> outcomes) {
        out.printf("%nE3b, reuse 32%n%-10s %8s %20s %5s%n", "producers", "cache", "unwraps/message", "met");
        for (UnwrapCount.Outcome outcome : outcomes) {
            String met = outcome.cache() < outcome.producers()
                    ? "" // a contrast, not a claim
                    : outcome.unwrapsPerMessage() <= MOST_UNWRAPS ? "yes" : "no";
            out.printf(
                    "%-10d %8d %20.5f %5s%n", outcome.producers(), outcome.cache(), outcome.unwrapsPerMessage(), met);
        }
    }
}
