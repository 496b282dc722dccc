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
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.micro.Row.Measured;
import org.signetmq.perf.result.Machine;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.ResultOutputs;
import org.signetmq.perf.result.Target;
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
    private @Nullable Pattern rowsMatching;

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
        Machine.warnIfBusy();
        Parts parts = new Parts();
        List<Measured> measured = new MicroRun(batches, System.err::println, System::nanoTime).execute(parts);
        List<Result> sizes = new ArrayList<>();
        parts.run("sizes", () -> sizes.addAll(Scene.addedBytes()));
        List<Result> laws = ReuseLaw.fitted(measured);
        List<Result> rows = measured.stream()
                .filter(row -> !row.failed())
                .map(Measured::result)
                .toList();

        new MicroTable(measured).print(System.out);
        MicroTable.printSizes(sizes, System.out);
        ReuseLaw.print(laws, System.out);
        Target.print(MicroTargets.of(rows, sizes), System.out);
        Map<String, List<Result>> beside = new LinkedHashMap<>();
        beside.put("sizes", sizes);
        beside.put("laws", laws);
        outputs.write(rows, beside, folder -> new MicroPlots(measured, folder).write(), parts);
        return parts.exitCode();
    }

    /** Returns our own rows one by one, those of the peers together: their program is started only once. */
    private List<MicroRun.Batch> batches(Optional<Path> peerJar) throws IOException {
        List<MicroRun.Batch> batches = new ArrayList<>();
        for (Rows.Planned plan : quick ? Rows.quick() : Rows.full()) {
            wanted(plan).forEach(row -> batches.add(new MicroRun.Batch(own, plan.depth(), List.of(row))));
        }
        if (peerJar.isPresent()) {
            List<String> names = PeerRun.rows(peerJar.get());
            Rows.Planned plan = Rows.peers(names, quick);
            batches.add(new MicroRun.Batch(new PeerRun(peerJar.get()), plan.depth(), wanted(plan)));
        }
        if (batches.stream().allMatch(batch -> batch.rows().isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rows " + rowsMatching + ": matches no row" + (quick ? " of a quick run" : "")
                            + (peers ? "" : "; those of peers need --peers"));
        }
        return batches;
    }

    private List<Row> wanted(Rows.Planned plan) {
        Pattern pattern = rowsMatching;
        return plan.rows().stream()
                .filter(row -> pattern == null || pattern.matcher(row.name()).matches())
                .toList();
    }
}
