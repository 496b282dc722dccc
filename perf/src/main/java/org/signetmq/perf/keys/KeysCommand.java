/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.MachineLoad;
import org.signetmq.perf.plot.PlotFolder;
import picocli.CommandLine.Command;
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

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results there.")
    private @Nullable Path json;

    @Option(names = "--plot", paramLabel = "DIR", description = "Draw charts there, as SVG and PNG.")
    private @Nullable Path plot;

    private KeysCommand() {}

    @Override
    public Integer call() throws Exception {
        PlotFolder charts = plot == null ? null : new PlotFolder(plot); // before the long part, in case it cannot be
        MachineLoad.warnIfBusy();
        List<PoolExperiment.Block> blocks =
                new PoolExperiment(quick ? PoolExperiment.Depth.quick() : PoolExperiment.Depth.full()).run();
        Map<String, Double> heap = heap();
        List<UnwrapCount.Outcome> unwraps = unwraps();
        KeysTable table = new KeysTable(System.out);
        table.pools(blocks);
        table.auto(blocks);
        table.heap(heap);
        table.unwraps(unwraps);
        if (json != null) {
            KeysJson rows = new KeysJson();
            rows.pools(blocks);
            rows.heap(heap);
            rows.unwraps(unwraps);
            rows.write(json);
        }
        if (charts != null) {
            KeysPlots plots = new KeysPlots(charts);
            plots.pools(blocks);
            plots.unwraps(unwraps);
        }
        return unwraps.stream().allMatch(one -> one.isContrast() || one.isMet()) ? 0 : 1; // rates vary, counts do not
    }

    private static Map<String, Double> heap() throws Exception {
        Map<String, Double> bytesPerKey = new LinkedHashMap<>();
        for (KeyKind kind : List.of(
                KeyKind.raw(), KeyKind.wrapped(1), KeyKind.wrapped(5), KeyKind.wrapped(20), KeyKind.wrapped(50))) {
            System.err.println("[heap] " + kind.name());
            bytesPerKey.put(kind.name(), HeapPerKey.of(kind));
        }
        return bytesPerKey;
    }

    private static List<UnwrapCount.Outcome> unwraps() throws Exception {
        UnwrapCount count = new UnwrapCount();
        List<UnwrapCount.Outcome> outcomes = new ArrayList<>();
        for (int cache : UnwrapCount.CACHES) {
            System.err.println("[E3b] cache of " + cache);
            for (int producers : UnwrapCount.PRODUCERS) {
                outcomes.add(count.count(producers, cache));
            }
        }
        return outcomes;
    }
}
