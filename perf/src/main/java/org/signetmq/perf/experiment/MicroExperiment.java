/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.result.Bar.atMost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipException;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.signetmq.perf.experiment.Operation.ProducerAndRecipients;
import org.signetmq.perf.process.ChildProcess;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;

/** Single operations: bare primitives, sealing and opening, and those of other systems. */
public final class MicroExperiment {
    private static final String SEAL = "seal.confidentiality.32.p256";

    private static final String CHECK = "check.confidentiality.warm.p256";

    private MicroExperiment() {}

    /**
     * Returns the experiment.
     *
     * @param peers the jar of other systems; empty for none
     * @param rows matches the names of the operations that are measured
     */
    public static Experiment of(String peers, String rows) {
        return new Experiment(
                "micro",
                "Single operations: bare primitives, sealing, opening",
                "",
                new MicroRun(peers, rows)::measure,
                List.of(
                        times(4, SEAL, "limit.aes256gcm.encrypt"),
                        times(5, "seal.confidentiality.32.rsa2048", "limit.aes256gcm.encrypt"),
                        times(4, "open.confidentiality.warm.p256", "limit.aes256gcm.decrypt"),
                        times(1.4, "seal.privacy.0.p256", "limit.p256.sign"),
                        times(1.3, "open.privacy.warm.p256", "limit.p256.verify"),
                        times(1.3, "seal.integrity.0.p256", "limit.p256.sign"),
                        times(1.2, "check.integrity.warm.p256", "limit.p256.verify"),
                        atMost(3, "us of " + CHECK, micro("us", CHECK)),
                        times(1.05, "seal.authenticity.32.p256", SEAL),
                        times(1.05, "open.authenticity.warm.p256", "open.confidentiality.warm.p256"),
                        times(1.01, SEAL, "seal.confidentiality.unlimited.p256"),
                        times(1, SEAL, "peer.pulsar.seal.32"),
                        times(0.1, SEAL, "peer.aws.seal.32"),
                        times(0.1, "open.confidentiality.warm.p256", "peer.aws.open.warm"),
                        times(0.05, "seal.confidentiality.0.p256", "peer.bc-cms.seal.0"),
                        atMost(3 * 2048, SEAL + ": bytes allocated", micro("bytes_allocated", SEAL)),
                        added(550, "confidentiality.32.p256"),
                        added(1_000, "privacy.p256 referenced"),
                        added(1_350, "privacy.p256 included"),
                        added(639 + 600, "integrity.shared.p256 referenced"),
                        added(921 + 600, "privacy.shared.p256 referenced")),
                List.of(),
                null);
    }

    private static Pick micro(String column, String name) {
        return Pick.of(column, "setting", name, "clients", 1);
    }

    private static Bar times(double most, String name, String other) {
        return atMost(most, "time of " + name + " / " + other, micro("us", name).over(micro("us", other)));
    }

    private static Bar added(int most, String setting) {
        return atMost(most, "bytes added to 2048: " + setting, Pick.of("bytes_added", "setting", setting));
    }

    /**
     * Measures single operations with JMH: our own in forks of this process, those of other systems by the jar of the
     * peers, a program with its own JMH.
     *
     * @param peers the jar; empty for none
     * @param wanted matches the names of operations that are measured
     */
    public record MicroRun(String peers, String wanted) {
        /** The operations that are also measured with two threads at the same time. */
        private static final String TWO_THREADS = "limit\\.aes256gcm\\.encrypt|seal\\.confidentiality\\.32\\.p256";

        private static final String QUICK_PEERS =
                "peer\\.(pulsar\\.seal\\.32|aws\\.(seal\\.32|open\\.warm)|bc-cms\\.seal\\.0)";

        /** Measures all, and the bytes that sealing adds. */
        public void measure(Runner runner) throws IOException, InterruptedException {
            List<Operation> operations = new ArrayList<>(Operation.own(runner.isQuick()));
            if (!peers.isEmpty()) {
                peerRows().stream()
                        .filter(row -> !runner.isQuick() || row.matches(QUICK_PEERS))
                        .map(Operation::ofPeer)
                        .forEach(operations::add);
            }
            operations.removeIf(operation -> !operation.name().matches(wanted));
            if (operations.isEmpty()) {
                throw new IllegalArgumentException("--rows " + wanted + ": matches no operation");
            }
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                runner.say((i + 1) + "/" + operations.size() + "  " + operation.name());
                runner.part(operation.name(), () -> runner.add(measured(operation, 1, runner.isQuick())));
                if (operation.name().matches(TWO_THREADS)) {
                    runner.part(operation.name(), () -> runner.add(measured(operation, 2, runner.isQuick())));
                }
            }
            ProducerAndRecipients.addBytes(runner);
        }

        /** Returns the names of all rows that the jar of the peers has. */
        private List<String> peerRows() throws IOException {
            try (FileSystem jar = FileSystems.newFileSystem(Path.of(peers))) {
                return Files.readAllLines(jar.getPath("org/signetmq/peers/rows.txt"));
            } catch (NoSuchFileException | ProviderNotFoundException | ZipException e) {
                throw new IOException("peers: no rows.txt in " + peers, e);
            }
        }

        private Row measured(Operation operation, int threads, boolean quick) throws IOException, InterruptedException {
            Path scores = Files.createTempFile("signet-perf", ".json");
            Path log = Files.createTempFile("signet-perf", ".log");
            try {
                List<String> arguments = arguments(operation, threads, quick, scores);
                String status = operation.isOfPeer() ? runPeer(arguments, log) : runOwn(arguments, log);
                JsonNode found = new ObjectMapper().readTree(scores.toFile()).path(0);
                JsonNode time = found.path("primaryMetric");
                if (!time.path("score").isNumber()) {
                    throw new IOException(status + ", see " + log);
                }
                Files.delete(log);
                return Row.of("part", "micro")
                        .with("clients", threads)
                        .with(Runner.SETTING, operation.name())
                        .with("us", time.path("score").asDouble())
                        .with(
                                "bytes_allocated",
                                found.at("/secondaryMetrics/gc.alloc.rate.norm/score")
                                        .asDouble(Double.NaN))
                        .with(
                                Pick.SPREAD,
                                time.at("/scorePercentiles/100.0").asDouble()
                                        / time.at("/scorePercentiles/0.0").asDouble());
            } finally {
                Files.deleteIfExists(scores);
            }
        }

        /** Returns the arguments of JMH. Without forks an operation finds the code of those before it compiled. */
        static List<String> arguments(Operation operation, int threads, boolean quick, Path scores) {
            String options = quick
                    ? "-f %d -wi %d -i 2 -w 350ms -r 350ms".formatted(operation.isOfPeer() ? 1 : 0, 2 * threads)
                    : "-f 3 -wi %d -i 5 -w 1s -r 1s".formatted(5 * threads);
            List<String> arguments = new ArrayList<>(List.of(
                    String.format(Locale.ROOT, "-bm avgt -tu us -t %d %s -prof gc -rf json -rff", threads, options)
                            .split(" ")));
            arguments.addAll(List.of(scores.toString(), "-jvmArgsAppend", "-Xms1g -Xmx1g"));
            operation.parameters().forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
            arguments.add(operation.isOfPeer() ? "PeerBenchmark" : "MicroBenchmark");
            return arguments;
        }

        /** Returns why there are no scores, if there are none. */
        private static String runOwn(List<String> arguments, Path log) {
            arguments.addAll(List.of("-o", log.toString()));
            try {
                new org.openjdk.jmh.runner.Runner(new CommandLineOptions(arguments.toArray(new String[0]))).run();
                return "no results";
            } catch (RunnerException | CommandLineOptionException failed) {
                return Requests.reason(failed);
            }
        }

        /** Returns why there are no scores, if there are none. Ends the peer's process if this one is to end. */
        private String runPeer(List<String> arguments, Path log) throws IOException, InterruptedException {
            List<String> command = ChildProcess.java();
            command.addAll(List.of("-jar", peers));
            command.addAll(arguments);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                process.getOutputStream().close();
                return "status " + process.waitFor();
            } finally {
                process.destroy();
            }
        }
    }
}
