/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.micro.MicroRun.RowRunner;
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

    /** The system property that says where the jar of the peers is. */
    private static final String PEERS_JAR = "signet.peers.jar";

    private static final JmhRunner JMH = new JmhRunner(Path.of(System.getProperty(PEERS_JAR, "")));

    private final RowRunner runner;

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
        this(JMH);
    }

    MicroCommand(RowRunner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() throws Exception {
        Path jar = JMH.peers();
        if (peers && !Files.isRegularFile(jar)) {
            System.err.println("signet: error: --peers: no jar of the peers"
                    + (jar.toString().isEmpty() ? ": " + PEERS_JAR + " is not set" : ", not a file: " + jar));
            System.err.println("signet: hint: mvn -Ppeers -pl peers -am package makes it; -D" + PEERS_JAR
                    + "=peers/target/signet-peers.jar names it");
            return UNUSABLE;
        }
        outputs.check();
        List<Row> wanted = wanted();
        Machine.warnIfBusy();
        Parts parts = new Parts();
        List<Result> measured = new MicroRun(runner, System.err::println, System::nanoTime).execute(wanted, parts);
        List<Result> sizes = new ArrayList<>();
        parts.run("sizes", () -> sizes.addAll(Scene.addedBytes()));

        MicroReport report = new MicroReport(measured, sizes);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        Map<String, List<Result>> beside = new LinkedHashMap<>();
        beside.put("sizes", sizes);
        beside.put("laws", ReuseLaws.fitted(report));
        outputs.write(report.measured().toList(), beside, report::draw, parts);
        return parts.exitCode();
    }

    private List<Row> wanted() throws IOException {
        List<Row> rows = new ArrayList<>(Row.own(quick));
        if (peers) {
            rows.addAll(Row.peers(JMH.peerRows(), quick));
        }
        Pattern pattern = rowsMatching;
        if (pattern != null) {
            rows.removeIf(row -> !pattern.matcher(row.name()).matches());
        }
        if (rows.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rows " + rowsMatching + ": matches no row" + (quick ? " of a quick run" : "")
                            + (peers ? "" : "; those of peers need --peers"));
        }
        return rows;
    }
}
