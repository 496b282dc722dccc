/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.MachineLoad;
import org.signetmq.perf.plot.PlotFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code signet perf micro}. */
@Command(
        name = "micro",
        description = "Times single operations: bare primitives, sealing, opening.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf micro --quick",
            "  signet perf micro --peers --json micro.json --plot charts",
            "  signet perf micro --rows 'seal\\.privacy.*'"
        })
public final class MicroCommand implements Callable<Integer> {
    private static final int UNUSABLE = 3;

    @Option(names = "--quick", description = "Shorter runs of the rows that the targets name: within four minutes.")
    private boolean quick;

    @Option(names = "--rows", paramLabel = "REGEX", description = "Only rows whose name matches.")
    private @Nullable String rows;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results there.")
    private @Nullable Path json;

    @Option(names = "--plot", paramLabel = "DIR", description = "Draw charts there, as SVG and PNG.")
    private @Nullable Path plot;

    @Option(names = "--peers", description = "Also rows of other systems, in processes of their own.")
    private boolean peers;

    private MicroCommand() {}

    @Override
    public Integer call() throws Exception {
        MicroRun.Depth depth = quick ? MicroRun.Depth.QUICK : MicroRun.Depth.FULL;
        Optional<Path> peerJar = peers ? PeerRun.jar() : Optional.empty();
        if (peers && peerJar.isEmpty()) {
            System.err.println("signet: error: --peers: no jar of the peers" + PeerRun.found());
            System.err.println("signet: hint: mvn -Ppeers -pl peers -am package makes it; -D" + PeerRun.PROPERTY
                    + "=peers/target/signet-peers.jar names it");
            return UNUSABLE;
        }
        PlotFolder charts = plot == null ? null : new PlotFolder(plot); // before the long part, in case it cannot be
        MachineLoad.warnIfBusy();
        List<MicroRun.Measured> measured =
                new ArrayList<>(new MicroRun(depth, wanted(quick ? RowCatalog.quick() : RowCatalog.full())).execute());
        if (peerJar.isPresent()) {
            measured.addAll(new PeerRun(peerJar.get(), depth).execute(wanted(peerRows(peerJar.get()))));
        }
        Map<String, Integer> sizes = EnvelopeSizes.measure();
        new MicroTable(measured).print(System.out);
        MicroTable.print(sizes, System.out);
        ReuseLaw.print(measured, System.out);
        new MicroTargets(measured, sizes).print(System.out);
        if (json != null) {
            MicroJson.write(json, measured, sizes);
        }
        if (charts != null) {
            new MicroPlots(measured).write(charts);
        }
        return measured.stream().anyMatch(MicroRun.Measured::failed) ? 1 : 0;
    }

    private List<RowCatalog.Entry> peerRows(Path jar) throws IOException {
        return RowCatalog.peers(quick ? RowCatalog.QUICK_PEERS : PeerRun.rows(jar));
    }

    private List<RowCatalog.Entry> wanted(List<RowCatalog.Entry> entries) {
        return rows == null
                ? entries
                : entries.stream().filter(entry -> entry.name().matches(rows)).toList();
    }
}
