/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Runs the rows of the peers: their jar is a program of its own, which forks once more for each row. */
final class PeerRun implements RowRunner {
    /** The system property that says where the jar is. */
    static final String PROPERTY = "signet.peers.jar";

    private static final String ROWS = "org/signetmq/peers/rows.txt";

    private final Path jar;

    PeerRun(Path jar) {
        this.jar = jar;
    }

    /** The jar, if it is where the property says. */
    static Optional<Path> jar() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .filter(Files::isRegularFile);
    }

    /** What the property says instead, for a message. */
    static String found() {
        String name = System.getProperty(PROPERTY, "");
        return name.isEmpty() ? ": " + PROPERTY + " is not set" : ", not a file: " + name;
    }

    /** The names of all rows that the jar has. */
    static List<String> rows(Path jar) throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            ZipEntry rows = file.getEntry(ROWS);
            if (rows == null) {
                throw new IOException("peers: no " + ROWS + " in " + jar);
            }
            try (InputStream in = file.getInputStream(rows)) {
                return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                        .lines()
                        .toList();
            }
        }
    }

    @Override
    public List<Measured> measure(Depth depth, List<RowCatalog.Entry> entries)
            throws IOException, InterruptedException {
        Path scores = Files.createTempFile("signet-peers", ".json");
        Path log = Files.createTempFile("signet-peers", ".log");
        try {
            Process process = new ProcessBuilder(command(depth, entries, scores))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            int status = finished(process);
            List<Measured> measured = read(scores, entries, "status " + status + ", see " + log);
            if (status == 0 && measured.stream().noneMatch(Measured::failed)) {
                Files.delete(log);
            }
            return measured;
        } finally {
            Files.deleteIfExists(scores);
        }
    }

    /** Ends it if we are to end. */
    private static int finished(Process process) throws InterruptedException {
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    private List<String> command(Depth depth, List<RowCatalog.Entry> entries, Path scores) {
        String time = depth.iteration.toMillis() + "ms";
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-jar",
                jar.toString()));
        command.addAll(List.of("-rf", "json", "-rff", scores.toString(), "-prof", "gc", "-t", "1"));
        command.addAll(List.of("-f", Integer.toString(depth.forks)));
        command.addAll(List.of("-wi", Integer.toString(depth.warmups(1)), "-w", time));
        command.addAll(List.of("-i", Integer.toString(depth.measurements), "-r", time));
        command.addAll(List.of("-jvmArgsAppend", "-Xms1g -Xmx1g"));
        command.addAll(List.of(
                "-p", "row=" + entries.stream().map(RowCatalog.Entry::name).collect(Collectors.joining(","))));
        command.add("PeerBenchmark.measure");
        return command;
    }

    private static List<Measured> read(Path scores, List<RowCatalog.Entry> entries, String otherwise)
            throws IOException {
        Map<String, JsonNode> byName = new HashMap<>();
        for (JsonNode row : new ObjectMapper().readTree(scores.toFile())) {
            byName.put(row.path("params").path("row").asText(), row);
        }
        return entries.stream()
                .map(entry -> measured(entry, byName.get(entry.name()), otherwise))
                .toList();
    }

    private static Measured measured(RowCatalog.Entry entry, @Nullable JsonNode row, String otherwise) {
        if (row == null) {
            return Measured.failed(entry, otherwise);
        }
        return new Measured(
                entry,
                row.path("primaryMetric").path("score").asDouble(Double.NaN),
                row.path("secondaryMetrics")
                        .path("gc.alloc.rate.norm")
                        .path("score")
                        .asDouble(Double.NaN),
                spread(row.path("primaryMetric").path("rawData")));
    }

    /** Over the iterations of all forks. */
    private static double spread(JsonNode forks) {
        DoubleSummaryStatistics times = StreamSupport.stream(forks.spliterator(), false)
                .flatMap(fork -> StreamSupport.stream(fork.spliterator(), false))
                .mapToDouble(JsonNode::asDouble)
                .summaryStatistics();
        return times.getMax() / times.getMin();
    }
}
