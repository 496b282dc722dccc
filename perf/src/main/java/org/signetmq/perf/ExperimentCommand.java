/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.perf.experiment.Experiment;
import org.signetmq.perf.experiment.KeysExperiment;
import org.signetmq.perf.experiment.MicroExperiment;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Bar.Verdict;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.ResultFile;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.result.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Measures the experiment with the name of the command, prints its tables and bars, and leaves its rows in a file. Each
 * experiment has a subclass for its description and its options.
 */
@Command(mixinStandardHelpOptions = true)
abstract class ExperimentCommand implements Callable<Integer> {
    /** The column with the name of the experiment. */
    static final String EXPERIMENT = "experiment";

    private static final Set<String> NOT_SHOWN = Set.of(EXPERIMENT, "rounds", "cpu_ms", Pick.SPREAD, Pick.COMPILING);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "Shorter and fewer blocks: done within 5 minutes, for a first look.")
    private boolean quick;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Add the rows to this file of comma-separated values, in place of those of an earlier run.")
    private @Nullable Path out;

    /** Returns what is measured. */
    Experiment experiment() throws IOException {
        return Experiment.named(spec.name());
    }

    /** Returns where disks and files are made. */
    Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    final ParameterException misused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    @Override
    public final Integer call() throws Exception {
        Experiment experiment = experiment();
        if (!Files.isDirectory(folder()) || !Files.isWritable(folder())) {
            throw misused("--folder " + folder() + ": must be a folder to write to");
        }
        if (out != null
                && (Files.isDirectory(out)
                        || !Files.isWritable(out.toAbsolutePath().resolveSibling(".")))) {
            throw misused("--out " + out + ": must be a file in a folder to write to");
        }
        Machine.warnIfBusy();
        Runner runner = new Runner(quick, folder(), System.err::println);
        runner.part(experiment.name(), () -> experiment.measurement().run(runner));
        List<Row> rows = runner.rows().stream()
                .map(row -> Row.of(EXPERIMENT, experiment.name()).and(row))
                .toList();
        print(experiment, rows, System.out);
        if (out != null) {
            write(experiment, rows, out);
        }
        return runner.failures().isEmpty() ? 0 : 1;
    }

    /** Prints the rows, the published figures beside ours, and the bars. */
    static void print(Experiment experiment, List<Row> rows, PrintStream out) {
        out.println(experiment.title());
        List<Row> shown = rows.stream()
                .map(row -> Pick.isNoisy(row) ? row.with("", "noisy") : row)
                .toList();
        List<String> columns = shown.stream()
                .flatMap(row -> row.cells().keySet().stream())
                .filter(column -> !NOT_SHOWN.contains(column))
                .distinct()
                .toList();
        new Table(columns, shown).print(out);
        Table published = Experiment.published(List.of(experiment), all -> rows);
        if (!published.rows().isEmpty()) {
            out.printf("%nPublished: %s%n", experiment.source());
            published.print(out);
        }
        List<Row> bars = experiment.bars().stream()
                .filter(bar -> bar.verdict(rows) != Verdict.NOT_MEASURED)
                .map(bar -> bar.in(rows))
                .toList();
        if (!bars.isEmpty()) {
            out.println();
            new Table(List.of("bar", "measured", "wanted", "verdict"), bars).print(out);
        }
    }

    /** Replaces the rows of the experiment in a file, with a note on the run. */
    private void write(Experiment experiment, List<Row> rows, Path file) throws IOException {
        ResultFile before = Files.exists(file) ? ResultFile.read(file) : new ResultFile(List.of(), List.of());
        List<String> notes = new ArrayList<>(before.notes());
        notes.removeIf(note -> note.startsWith(experiment.name() + ": "));
        notes.add(experiment.name() + ": " + LocalDate.now(ZoneOffset.UTC) + (quick ? "; --quick; " : "; ")
                + Machine.description());
        List<Row> all = new ArrayList<>(before.rows());
        all.removeIf(row -> row.text(EXPERIMENT).equals(experiment.name()));
        all.addAll(rows);
        new ResultFile(notes, all).write(file);
    }

    /** {@code signet perf rr}. */
    @Command(
            name = "rr",
            description = {
                "Measures requests and replies through a broker, from end to end.",
                "Requesters send a persistent message and wait for the persistent reply. The broker seals what arrives;"
                        + " the client library opens it at responders and requesters. Each setting has a broker process"
                        + " and a client process of its own, whose blocks alternate: plain (no plugin), none (plugin"
                        + " without a policy) and the qualities. All are compared with the blocks of none beside them."
            })
    static final class RoundTrips extends ExperimentCommand {
        @Option(
                names = "--where",
                paramLabel = "PLACE",
                description =
                        "Where messages are sealed: broker (default); or client, beside the broker, with producers in"
                                + " one process and in many.")
        private String where = "broker";

        @Override
        Experiment experiment() {
            if (!where.equals("broker") && !where.equals("client")) {
                throw misused("--where: must be broker or client, found " + where);
            }
            return Experiment.named(where.equals("broker") ? "rr" : "rr client");
        }
    }

    /** {@code signet perf proof}. */
    @Command(
            name = "proof",
            description = {
                "Compares qualities that prove the sender with those that do not, as signet perf rr does.",
                "Confidentiality and authenticity, and integrity and privacy with signatures of their own and shared:"
                        + " with 1, 32 and 81 clients, in one sitting of some 20 minutes."
            })
    static final class Proof extends ExperimentCommand {}

    /** {@code signet perf pq}. */
    @Command(
            name = "pq",
            description = {
                "Compares post-quantum keys with P-256, as signet perf rr does.",
                "Recipients with ML-KEM-768 and signers with ML-DSA-65, alone and beside P-256 keys, some 20 minutes."
            })
    static final class PostQuantum extends ExperimentCommand {}

    /** {@code signet perf figure}. */
    @Command(
            name = "figure",
            description = {
                "Repeats a figure of IBM's paper on AMS confidentiality: in the manner of AMS, and with Signet.",
                "1: one queue, more and more clients. 2: 21 queues, and anonymous producers. 3: reuse of keys. 4: sizes"
                        + " at which the speed falls (get buffers, consumer windows, large messages, memory of addresses)."
            })
    static final class Figure extends ExperimentCommand {
        @Parameters(paramLabel = "NUMBER", description = "1, 2, 3 or 4.")
        private int number;

        @Override
        Experiment experiment() {
            if (number < 1 || number > 4) {
                throw misused("NUMBER: must be 1, 2, 3 or 4, found " + number);
            }
            return Experiment.named("figure " + number);
        }
    }

    /** {@code signet perf tls}. */
    @Command(
            name = "tls",
            description = {
                "Compares protected messages with protected connections: none, TLS, confidentiality, and both.",
                "On shared and on dedicated queues, as IBM's paper on AMS and TLS does."
            })
    static final class Tls extends ExperimentCommand {}

    /** {@code signet perf mailbox}. */
    @Command(
            name = "mailbox",
            description = {
                "Uploads files through a broker, with data keys made ahead and without.",
                "Eight uploaders send durable files; readers open them. Four files of five have 1 to 10 kB, the others up"
                        + " to 1 MB. The broker seals each file under a key of its own, for 1 to 50 recipients."
            })
    static final class Mailbox extends ExperimentCommand {}

    /** An experiment that needs disk space. */
    abstract static class OnDisk extends ExperimentCommand {
        @Option(
                names = "--folder",
                paramLabel = "DIR",
                description = "Where files and disks are made and deleted. Default: the folder for temporary files.")
        private @Nullable Path folder;

        @Override
        Path folder() {
            return folder == null ? super.folder() : folder;
        }
    }

    /** {@code signet perf digest}. */
    @Command(
            name = "digest",
            description = {
                "Reads files and digests or seals them: a loop, a pipeline and Signet's own way.",
                "Throttled runs imitate the published disk and processor. The others read files that are not in memory,"
                        + " if the system lets them be dropped from there."
            })
    static final class Digest extends OnDisk {}

    /** {@code signet perf filesystem}. */
    @Command(
            name = "filesystem",
            description = {
                "Compares encrypted file systems with protected messages, as IBM's report on the MQ appliance does.",
                "Journals lie in a plain directory, in gocryptfs on it, in an ext4 image, and in a folder of the image"
                        + " that fscrypt encrypts. Confidentiality lies in the plain directory, once sealed by the"
                        + " broker and once by the clients. It also drains queues from a cold disk, and looks for"
                        + " payloads in clear: in files, below the file systems, in memory and on connections.",
                "Needs root, gocryptfs, fuse3, fscrypt and e2fsprogs. All mounts end with the command."
            })
    static final class Filesystem extends OnDisk {}

    /** {@code signet perf keys}. */
    @Command(name = "keys", description = "Shows what remembering opened keys saves, and what keys in tokens cost.")
    static final class Keys extends ExperimentCommand {
        @Option(
                names = "--token",
                paramLabel = "URI",
                description = "Instead, compare the key that this pkcs11: URI names with a key in a file, each also"
                        + " slowed to 5 ms an operation. Give it again for another key. The PIN: pin-source in the URI,"
                        + " else $SIGNET_PIN.")
        private List<String> tokens = List.of();

        @Override
        Experiment experiment() {
            return KeysExperiment.of(tokens);
        }
    }

    /** {@code signet perf micro}. */
    @Command(name = "micro", description = "Times single operations with JMH: bare primitives, sealing, opening.")
    static final class Micro extends ExperimentCommand {
        @Option(
                names = "--rows",
                paramLabel = "REGEX",
                description = "Only operations whose name matches, such as 'seal\\.privacy.*'.")
        private Pattern rows = Pattern.compile(".*");

        @Option(names = "--peers", description = "Also operations of other systems, in processes of their own.")
        private boolean peers;

        @Override
        Experiment experiment() throws IOException {
            String jar = peers ? System.getProperty("signet.peers.jar", "") : "";
            if (peers && !Files.isRegularFile(Path.of(jar))) {
                throw new IOException("--peers: no jar of the peers; mvn -Ppeers -pl peers -am package makes it, and"
                        + " -Dsignet.peers.jar=peers/target/signet-peers.jar names it");
            }
            return MicroExperiment.of(jar, rows.pattern());
        }
    }

    /** The machine that figures hold for. */
    public static final class Machine {
        private static final OperatingSystemMXBean SYSTEM =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private static final double BUSY = 0.25;
        private static final long BUSY_MILLIS = 500;

        private Machine() {}

        /** Returns processor, system, Java and crypto provider in one line. */
        public static String description() {
            String provider = CryptoProviders.standard()
                    .accelerated()
                    .map(accelerated -> accelerated.getName() + " " + accelerated.getVersionStr())
                    .orElse("none");
            return String.join(
                    "; ",
                    processor() + " with " + SYSTEM.getAvailableProcessors() + " processors",
                    (SYSTEM.getTotalMemorySize() >> 20) + " MiB",
                    SYSTEM.getName() + " " + SYSTEM.getVersion(),
                    "Java " + System.getProperty("java.runtime.version"),
                    "native cryptography: " + provider);
        }

        private static String processor() {
            try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(SYSTEM.getArch());
            } catch (IOException | UncheckedIOException notLinux) {
                return SYSTEM.getArch();
            }
        }

        /**
         * Warns if other programs take more than a quarter of the processor: they would be measured too. It looks at
         * the next half second, because the load average still counts a command that has just ended.
         */
        public static void warnIfBusy() throws InterruptedException {
            SYSTEM.getCpuLoad(); // the next value is about the time since this one
            Thread.sleep(BUSY_MILLIS);
            double load = SYSTEM.getCpuLoad();
            if (load > BUSY) {
                System.err.printf(
                        "signet: warning: other programs take %.0f %% of the processor: figures will not be reliable%n",
                        100 * load);
            }
        }
    }
}
