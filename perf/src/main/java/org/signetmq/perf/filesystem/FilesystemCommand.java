/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Experiment;
import org.signetmq.perf.rr.PairPool;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.rr.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code signet perf filesystem}. */
@Command(
        name = "filesystem",
        description = {
            "Compares encrypted file systems with protected messages, as IBM's report on the MQ appliance does.",
            "Journals lie in a plain directory, in gocryptfs on it, in an ext4 image, and in a folder of the image that"
                    + " fscrypt encrypts. Confidentiality lies in the plain directory, once sealed by the broker and once by"
                    + " the clients. Each is compared with no encryption on the same kind of disk.",
            "Beside the rates under load it can drain a deep queue from a cold disk, and look for payloads in clear:"
                    + " in files, below the file systems, in memory and on connections.",
            "Needs root, gocryptfs, fuse3, fscrypt and e2fsprogs. All mounts end with the command. Without --seconds and"
                    + " --rounds a full run has two blocks of 0.7 seconds for each setting and load."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sudo signet perf filesystem --quick",
            "  sudo signet perf filesystem --scenario one,ha --size 2048,20480 --json filesystem.json --plot charts",
            "  sudo signet perf filesystem --scenario coverage",
            "  sudo signet perf filesystem --folder /data --json filesystem.json --resume"
        })
public final class FilesystemCommand implements Callable<Integer> {
    static final Timing TIMING = new Timing(15, 0.7, 2, List.of()); // a full set must end within three hours
    static final Timing QUICK_TIMING = new Timing(6, 0.7, 2, List.of()); // within five minutes on a slow machine too

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final Sweep sweep = new Sweep();

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where all disks are made and deleted. Default: the folder for temporary files.")
    private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--backlog",
            paramLabel = "MIB",
            description = "Payload of each queue that cold drains, in MiB. Default: ${DEFAULT-VALUE}.")
    private int backlog = ColdReads.USUAL_MEBIBYTES;

    @Mixin
    private final RunOptions options = new RunOptions();

    private FilesystemCommand() {}

    @Override
    public Integer call() throws Exception {
        List<Sweep.Stage> stages;
        List<Examination> examinations;
        try {
            stages = sweep.stages(timing(), options.isQuick());
            examinations = examinations();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e); // each names its option
        }
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new ParameterException(spec.commandLine(), "--folder " + folder + ": not a folder to write to");
        }
        Optional<String> missing = Requirements.missing();
        if (missing.isPresent()) {
            throw new IOException("filesystem: " + missing.get());
        }
        Parts parts = new Parts();
        Experiment experiment = new Experiment(options, PairPool.Site.USUAL, parts);
        List<Result> rows = List.of();
        List<Result> conditions;
        try (Disks disks = Disks.mount(folder)) {
            conditions = Conditions.of(disks.all());
            warnOfSlowCipher(conditions);
            announce(experiment, stages, examinations);
            for (Sweep.Stage stage : stages) {
                rows = experiment.run(
                        stage.plan(), new PairPool.Site(disks.all(), stage.brokers(), options.recordings()));
            }
            try (Examinations runner = new Examinations(disks, experiment, parts)) {
                for (Examination examination : examinations) {
                    runner.run(examination);
                }
            }
        }
        FilesystemReport report = new FilesystemReport(rows, experiment::kept);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        Map<String, List<Result>> more = new HashMap<>(experiment.raw());
        more.put("losses", report.losses());
        more.put("disks", conditions);
        options.outputs().write(rows, more, report::draw, parts);
        return parts.exitCode();
    }

    private Timing timing() {
        return options.timing(options.isQuick() ? QUICK_TIMING : TIMING);
    }

    private List<Examination> examinations() {
        double warmUp = timing().warmUpSeconds();
        // draining needs less code than round trips
        return Stream.<Examination>of(new ColdReads(backlog, warmUp / 2), new Coverage())
                .filter(examination -> sweep.has(examination.name(), options.isQuick()))
                .toList();
    }

    private static void announce(Experiment experiment, List<Sweep.Stage> stages, List<Examination> examinations) {
        experiment.announceParts(Stream.concat(
                        stages.stream().map(stage -> stage.plan().seconds()),
                        examinations.stream().map(Examination::seconds))
                .toList());
    }

    private static void warnOfSlowCipher(List<Result> conditions) {
        conditions.stream()
                .map(disk -> disk.text("cipher"))
                .filter(Conditions::isSoftware)
                .forEach(driver -> System.err.println("signet: warning: fscrypt: the kernel has " + driver
                        + ", without instructions of the processor: its cost is overstated"));
    }
}
