/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.MachineLoad;
import org.signetmq.perf.Parts;
import org.signetmq.perf.ResultOutputs;
import org.signetmq.perf.targets.TargetTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

    private final RowRunner own;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--quick",
            description = "Shorter runs of the rows that the targets name, a glance at the other kinds of ours:"
                    + " within four minutes.")
    private boolean quick;

    @Option(names = "--rows", paramLabel = "REGEX", description = "Only rows whose name matches.")
    private @Nullable Pattern rows;

    @Option(names = "--peers", description = "Also rows of other systems, in processes of their own.")
    private boolean peers;

    @Mixin
    private final ResultOutputs outputs = new ResultOutputs();

    private MicroCommand() {
        this(new JmhRows());
    }

    MicroCommand(RowRunner own) {
        this.own = own;
    }

    @Override
    public Integer call() throws Exception {
        Optional<Path> peerJar = peers ? PeerRun.jar() : Optional.empty();
        if (peers && peerJar.isEmpty()) {
            System.err.println("signet: error: --peers: no jar of the peers" + PeerRun.found());
            System.err.println("signet: hint: mvn -Ppeers -pl peers -am package makes it; -D" + PeerRun.PROPERTY
                    + "=peers/target/signet-peers.jar names it");
            return UNUSABLE;
        }
        outputs.check();
        List<MicroRun.Batch> batches = batches(peerJar);
        MachineLoad.warnIfBusy();
        Parts parts = new Parts();
        List<Measured> measured = new MicroRun(batches, System.err::println, System::nanoTime).execute(parts);
        Map<String, Integer> sizes = new LinkedHashMap<>();
        parts.run("sizes", () -> sizes.putAll(EnvelopeSizes.measure()));
        new MicroTable(measured).print(System.out);
        MicroTable.print(sizes, System.out);
        List<ReuseLaw.Fitted> laws = ReuseLaw.fitted(measured);
        ReuseLaw.print(laws, System.out);
        new TargetTable(new MicroTargets(measured, sizes).targets()).print(System.out);
        outputs.write(
                MicroJson.results(measured),
                MicroJson.beside(sizes, laws),
                folder -> new MicroPlots(measured).write(folder),
                parts);
        return parts.exitCode();
    }

    /** Our own rows one by one, those of the peers at once: their program has to be started only once. */
    private List<MicroRun.Batch> batches(Optional<Path> peerJar) throws IOException {
        List<MicroRun.Batch> batches = new ArrayList<>();
        for (RowCatalog.Planned plan : quick ? RowCatalog.quick() : RowCatalog.full()) {
            wanted(plan.rows()).forEach(row -> batches.add(new MicroRun.Batch(own, plan.depth(), List.of(row))));
        }
        if (peerJar.isPresent()) {
            RowRunner runner = new PeerRun(peerJar.get());
            List<String> names = PeerRun.rows(peerJar.get());
            for (RowCatalog.Planned plan : quick ? RowCatalog.quickPeers(names) : RowCatalog.fullPeers(names)) {
                batches.add(new MicroRun.Batch(runner, plan.depth(), wanted(plan.rows())));
            }
        }
        if (batches.stream().allMatch(batch -> batch.rows().isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rows " + rows + ": matches no row" + (quick ? " of a quick run" : "")
                            + (peers ? "" : "; those of peers need --peers"));
        }
        return batches;
    }

    private List<RowCatalog.Entry> wanted(List<RowCatalog.Entry> entries) {
        Pattern pattern = rows;
        return pattern == null
                ? entries
                : entries.stream()
                        .filter(entry -> pattern.matcher(entry.name()).matches())
                        .toList();
    }
}
