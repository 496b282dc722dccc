/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

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
 * process. The jar of the peers is a program with its own JMH. Rows of our own do not need it.
 */
record JmhRunner(Path peers) implements RowRunner {
    /** Returns the names of all rows that the jar of the peers has. */
    List<String> peerRows() throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(peers)) {
            return Files.readAllLines(jar.getPath("org/signetmq/peers/rows.txt"));
        } catch (NoSuchFileException | ProviderNotFoundException | ZipException e) {
            throw new IOException("peers: no rows.txt in " + peers, e);
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
                throw new IOException(status + ", see " + log);
            }
            Files.delete(log);
            double bytes =
                    found.at("/secondaryMetrics/gc.alloc.rate.norm/score").asDouble(Double.NaN);
            double slowest = time.at("/scorePercentiles/100.0").asDouble();
            double fastest = time.at("/scorePercentiles/0.0").asDouble();
            return row.measured(time.path("score").asDouble(), bytes, slowest / fastest);
        } finally {
            Files.deleteIfExists(scores);
        }
    }

    static List<String> arguments(Row row, Path scores) {
        Depth depth = row.depth();
        int warmups = depth.warmups(row.threads());
        String options = String.format(
                Locale.ROOT,
                "-bm avgt -tu us -t %d -f %d -wi %d -i %d -w %5$dms -r %5$dms -prof gc -rf json -rff",
                row.threads(),
                depth.forks(),
                warmups,
                depth.measurements(),
                depth.millis());
        List<String> arguments = new ArrayList<>(List.of(options.split(" ", -1)));
        String javaOnly = "-Dsignet.crypto.java-only=" + (row.crypto() == Crypto.JAVA_ONLY);
        arguments.addAll(List.of(scores.toString(), "-jvmArgsAppend", "-Xms1g -Xmx1g " + javaOnly));
        row.parameters()
                .json()
                .properties()
                .forEach(parameter -> arguments.addAll(List.of(
                        "-p", parameter.getKey() + "=" + parameter.getValue().asText())));
        arguments.add(row.crypto() == Crypto.PEER ? "PeerBenchmark" : "MicroBenchmark");
        return arguments;
    }

    /** Returns why there are no scores, if there are none. */
    private static String runOwn(List<String> arguments, Path log) {
        arguments.addAll(List.of("-o", log.toString()));
        try {
            new Runner(new CommandLineOptions(arguments.toArray(new String[0]))).run();
            return "No results returned";
        } catch (RunnerException | CommandLineOptionException failed) {
            return Parts.reason(failed);
        }
    }

    /** Returns why there are no scores, if there are none. Ends the peer's process if this one is to end. */
    private String runPeer(List<String> arguments, Path log) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        arguments.addAll(0, List.of(java, "-jar", peers.toString()));
        Process process = new ProcessBuilder(arguments)
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
