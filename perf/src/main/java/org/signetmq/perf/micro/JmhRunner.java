/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;

/**
 * Measures a row with JMH, which starts as many processes as the row's depth says. JMH runs our own rows in this
 * process; the jar of the peers is a program of its own, with a JMH in it.
 *
 * @param peers the jar; need not exist if no row is a peer's
 */
record JmhRunner(Path peers) implements RowRunner {
    private static final String PEER_ROWS = "org/signetmq/peers/rows.txt";

    /** Returns the names of all rows that the jar of the peers has. */
    List<String> peerRows() throws IOException {
        try (ZipFile file = new ZipFile(peers.toFile())) {
            ZipEntry rows = file.getEntry(PEER_ROWS);
            if (rows == null) {
                throw new IOException("peers: no " + PEER_ROWS + " in " + peers);
            }
            return new String(file.getInputStream(rows).readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }

    @Override
    public Result measure(Row row) throws IOException, InterruptedException {
        Path scores = Files.createTempFile("signet-perf", ".json");
        Path log = Files.createTempFile("signet-perf", ".log");
        try {
            List<String> arguments = arguments(row, scores);
            String status = row.crypto() == Crypto.PEER ? runPeer(arguments, log) : runOwn(arguments, log);
            JsonNode found = new ObjectMapper().readTree(scores.toFile()).path(0);
            JsonNode time = found.path("primaryMetric");
            if (!time.path("score").isNumber()) {
                return row.failed(status + ", see " + log);
            }
            Files.delete(log);
            return row.measured(
                    time.path("score").asDouble(),
                    found.at("/secondaryMetrics/gc.alloc.rate.norm/score").asDouble(Double.NaN),
                    time.at("/scorePercentiles/100.0").asDouble()
                            / time.at("/scorePercentiles/0.0").asDouble());
        } finally {
            Files.deleteIfExists(scores);
        }
    }

    private static List<String> arguments(Row row, Path scores) {
        Depth depth = row.depth();
        long millis = depth.iteration.toMillis();
        String options = "-t %d -f %d -wi %d -w %dms -i %d -r %dms -prof gc -rf json -rff"
                .formatted(
                        row.threads(), depth.forks, depth.warmups(row.threads()), millis, depth.measurements, millis);
        List<String> arguments = new ArrayList<>(List.of(options.split(" ", -1)));
        arguments.add(scores.toString());
        boolean javaOnly = row.crypto() == Crypto.JAVA_ONLY;
        arguments.addAll(List.of("-jvmArgsAppend", "-Xms1g -Xmx1g -Dsignet.crypto.java-only=" + javaOnly));
        row.parameters().json().properties().forEach(parameter -> {
            arguments.addAll(List.of(
                    "-p", parameter.getKey() + "=" + parameter.getValue().asText()));
        });
        arguments.add(row.crypto() == Crypto.PEER ? "PeerBenchmark" : MicroBenchmark.class.getName());
        return arguments;
    }

    /** Returns the reason if there are no scores. */
    private static String runOwn(List<String> arguments, Path log) {
        arguments.addAll(List.of("-o", log.toString()));
        try {
            new Runner(new CommandLineOptions(arguments.toArray(new String[0]))).run();
            return "No results returned";
        } catch (RunnerException | CommandLineOptionException failed) {
            return Parts.reason(failed);
        }
    }

    /** Returns the reason if there are no scores. Ends the peer's process if this one is to end. */
    private String runPeer(List<String> arguments, Path log) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-jar", peers.toString()));
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
