/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.micro.Row.Measured;
import org.signetmq.perf.micro.Rows.Depth;

/** Runs the rows of the peers: their jar is a program of its own, which forks once more for each row. */
final class PeerRun implements RowRunner {
    /** The system property that says where the jar is. */
    static final String PROPERTY = "signet.peers.jar";

    private static final String ROWS = "org/signetmq/peers/rows.txt";

    private final Path jar;

    PeerRun(Path jar) {
        this.jar = jar;
    }

    /** Returns the jar, if it is where the property says. */
    static Optional<Path> jar() {
        return Optional.of(System.getProperty(PROPERTY, ""))
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .filter(Files::isRegularFile);
    }

    /** Returns the wrong value of the property, for a message. */
    static String found() {
        String name = System.getProperty(PROPERTY, "");
        return name.isEmpty() ? ": " + PROPERTY + " is not set" : ", not a file: " + name;
    }

    /** Returns the names of all rows that the jar has. */
    static List<String> rows(Path jar) throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            ZipEntry rows = file.getEntry(ROWS);
            if (rows == null) {
                throw new IOException("peers: no " + ROWS + " in " + jar);
            }
            return new String(file.getInputStream(rows).readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }

    @Override
    public List<Measured> measure(Depth depth, List<Row> rows) throws IOException, InterruptedException {
        Path scores = Files.createTempFile("signet-peers", ".json");
        Path log = Files.createTempFile("signet-peers", ".log");
        try {
            Process process = new ProcessBuilder(command(depth, rows, scores))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            int status = finished(process);
            JsonNode found = new ObjectMapper().readTree(scores.toFile());
            List<Measured> measured = rows.stream()
                    .map(row -> StreamSupport.stream(found.spliterator(), false)
                            .filter(one -> one.at("/params/row").asText().equals(row.name()))
                            .findFirst()
                            .map(one -> measured(row, one))
                            .orElseGet(() -> row.failed("status " + status + ", see " + log)))
                    .toList();
            if (status == 0 && measured.stream().noneMatch(Measured::failed)) {
                Files.delete(log);
            }
            return measured;
        } finally {
            Files.deleteIfExists(scores);
        }
    }

    /** Waits for a process, and ends it if this one is to end. */
    private static int finished(Process process) throws InterruptedException {
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    private List<String> command(Depth depth, List<Row> rows, Path scores) {
        String time = depth.iteration.toMillis() + "ms";
        String names = rows.stream().map(Row::name).collect(Collectors.joining(","));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of("-rf", "json", "-rff", scores.toString(), "-prof", "gc", "-t", "1"));
        command.addAll(List.of("-f", Integer.toString(depth.forks)));
        command.addAll(List.of("-wi", Integer.toString(depth.warmups(1)), "-w", time));
        command.addAll(List.of("-i", Integer.toString(depth.measurements), "-r", time));
        command.addAll(List.of("-jvmArgsAppend", "-Xms1g -Xmx1g", "-p", "row=" + names));
        command.add("PeerBenchmark.measure");
        return command;
    }

    private static Measured measured(Row row, JsonNode found) {
        DoubleSummaryStatistics times = StreamSupport.stream(
                        found.at("/primaryMetric/rawData").spliterator(), false)
                .flatMap(fork -> StreamSupport.stream(fork.spliterator(), false))
                .mapToDouble(JsonNode::asDouble)
                .summaryStatistics();
        return row.measured(
                found.at("/primaryMetric/score").asDouble(Double.NaN),
                found.at("/secondaryMetrics")
                        .path("gc.alloc.rate.norm")
                        .path("score")
                        .asDouble(Double.NaN),
                times.getMax() / times.getMin());
    }
}
