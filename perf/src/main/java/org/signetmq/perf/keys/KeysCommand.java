/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.signetmq.perf.MachineLoad;
import org.signetmq.perf.Parts;
import org.signetmq.perf.ResultOutputs;
import org.signetmq.perf.targets.TargetTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code signet perf keys}. */
@Command(
        name = "keys",
        description = "Shows what making data keys ahead of need gains, and what remembering opened keys saves.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  signet perf keys --quick", "  signet perf keys --json keys.json --plot charts"})
public final class KeysCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "Shorter runs, a smaller sweep.")
    private boolean quick;

    @Mixin
    private final ResultOutputs outputs = new ResultOutputs();

    private KeysCommand() {}

    @Override
    public Integer call() throws Exception {
        outputs.check();
        MachineLoad.warnIfBusy();
        Parts parts = new Parts();
        List<PoolExperiment.Block> blocks =
                new PoolExperiment(quick ? PoolExperiment.Depth.quick() : PoolExperiment.Depth.full()).run(parts);
        Map<String, Double> heap = heap(parts);
        List<UnwrapCount.Outcome> unwraps = unwraps(parts);
        KeysTable table = new KeysTable(System.out);
        table.pools(blocks);
        table.auto(blocks);
        table.heap(heap);
        table.unwraps(unwraps);
        KeysJson rows = new KeysJson();
        rows.pools(blocks);
        rows.heap(heap);
        rows.unwraps(unwraps);
        new TargetTable(KeysTargets.of(new ObjectMapper().valueToTree(rows.rows()))).print(System.out);
        outputs.write(
                rows.rows(),
                Map.of(),
                folder -> {
                    KeysPlots plots = new KeysPlots(folder);
                    plots.pools(blocks);
                    plots.unwraps(unwraps);
                },
                parts);
        boolean met = unwraps.stream().allMatch(one -> one.isContrast() || one.isMet());
        return met ? parts.exitCode() : 1; // rates vary, counts do not
    }

    private static Map<String, Double> heap(Parts parts) throws InterruptedException {
        Map<String, Double> bytesPerKey = new LinkedHashMap<>();
        parts.run("heap", () -> bytesPerKey.put("raw", heap(KeyKind.raw())));
        for (int recipients : new int[] {1, 5, 20, 50}) {
            parts.run("heap R=" + recipients, () -> {
                KeyKind kind = KeyKind.wrapped(recipients);
                bytesPerKey.put(kind.name(), heap(kind));
            });
        }
        return bytesPerKey;
    }

    private static double heap(KeyKind kind) {
        System.err.println("[heap] " + kind.name());
        return HeapPerKey.of(kind);
    }

    private static List<UnwrapCount.Outcome> unwraps(Parts parts) throws InterruptedException {
        List<UnwrapCount.Outcome> outcomes = new ArrayList<>();
        parts.run("E3b", () -> {
            UnwrapCount count = new UnwrapCount();
            for (int cache : UnwrapCount.CACHES) {
                System.err.println("[E3b] cache of " + cache);
                for (int producers : UnwrapCount.PRODUCERS) {
                    outcomes.add(count.count(producers, cache));
                }
            }
        });
        return outcomes;
    }
}
