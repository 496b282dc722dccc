/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.digest.Setting.Pace;
import org.signetmq.perf.digest.Work.Kind;
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

/** {@code signet perf digest}. */
@Command(
        name = "digest",
        description = {
            "Reads files and digests or seals them: a loop, a pipeline and Signet's own way, beside published figures.",
            "Throttled runs imitate the published disk and processor. Unthrottled runs read files that are not in"
                    + " memory, if the system lets them be dropped from there."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  signet perf digest --quick", "  signet perf digest --folder /data --json digest.json --plot charts"
        })
public final class DigestCommand implements Callable<Integer> {
    private static final int FILES = 4;
    private static final int FILE_LENGTH = 27_000_000; // as published
    private static final int QUICK_RUNS = 3;
    private static final int RUNS = 5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--quick",
            description = "Fewer runs, fewer kinds of queue, throttled without AES-256-GCM: one to two minutes.")
    private boolean quick;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each row. Default: 5, with --quick 3.")
    private @Nullable Integer runs;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where four files of 27 MB are written and deleted: the disk to measure."
                    + " Default: the folder for temporary files.")
    private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

    @Mixin
    private final ResultOutputs outputs = new ResultOutputs();

    private final int fileLength;

    private DigestCommand() {
        this(FILE_LENGTH);
    }

    /** Makes a command for files of another length, in bytes. */
    DigestCommand(int fileLength) {
        this.fileLength = fileLength;
    }

    @Override
    public Integer call() throws Exception {
        if (runs != null && runs < 1) {
            throw new ParameterException(spec.commandLine(), "--runs: must be above zero, found " + runs);
        }
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new ParameterException(spec.commandLine(), "--folder " + folder + ": not a folder to write to");
        }
        outputs.check();
        Machine.warnIfBusy();
        Parts parts = new Parts();
        List<Result> rows = new ArrayList<>();
        List<Result> queues = new ArrayList<>();
        List<Result> disk = new ArrayList<>();
        parts.run("digest", () -> {
            try (DataFiles data = DataFiles.create(folder, FILES, fileLength);
                    SignetWays signet = data.make(SignetWays::new)) {
                disk.add(disk(data));
                experiment(new Experiment(data, signet, System.err::println), rows, queues)
                        .run(runs != null ? runs : quick ? QUICK_RUNS : RUNS);
            }
        });

        DigestReport report = new DigestReport(rows, queues);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        outputs.write(rows, Map.of("queues", queues, "disk", disk), report::draw, parts);
        return parts.exitCode();
    }

    private Experiment experiment(Experiment experiment, List<Result> rows, List<Result> queues) {
        for (Pace pace : Pace.values()) {
            for (Kind work : quick && pace == Pace.THROTTLED ? List.of(Kind.SHA_256) : List.of(Kind.values())) {
                Experiment.BLOCKS.forEach(block -> experiment.ways(new Setting(work, pace, block), rows));
            }
        }
        List<Integer> buffers = quick ? List.of(2, PipelineWay.BUFFERS, 16) : List.of(2, 3, PipelineWay.BUFFERS, 8, 16);
        for (int block : List.of(4096, 1 << 20)) {
            experiment.queues(block, buffers, queues);
        }
        return experiment;
    }

    /** Returns where the files are, and says so if they stay in memory: reading is then too fast. */
    private Result disk(DataFiles data) throws IOException, InterruptedException {
        boolean cold = data.canBeForgotten();
        if (!cold) {
            System.err.println("signet: warning: --folder " + folder + ": its files stay in memory ("
                    + data.fileSystem() + "), so the figures of reading are not those of a disk");
        }
        return Result.EMPTY.with("file_system", data.fileSystem()).with("unthrottled", cold ? "cold" : "in memory");
    }
}
