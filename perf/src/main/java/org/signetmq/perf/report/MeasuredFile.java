/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.perf.result.Result;

/**
 * A file that a command of {@code signet perf} has written.
 *
 * @param name of the file, without folder and ending
 */
record MeasuredFile(String name, JsonNode json) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ENDING = ".json";
    private static final String PROGRAM = "signet perf ";

    /**
     * Reads files, and all JSON files of folders.
     *
     * @return in the order of the paths; those of a folder in the order of their names
     * @throws IOException if one of them cannot be read
     */
    static List<MeasuredFile> read(List<Path> paths) throws IOException {
        List<MeasuredFile> files = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                for (Path file : jsonFiles(path)) {
                    files.add(read(file));
                }
            } else {
                files.add(read(path));
            }
        }
        return files;
    }

    private static List<Path> jsonFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted(Comparator.comparing(MeasuredFile::nameOf)) // with the ending, run-2 would precede run
                    .toList();
        }
    }

    private static MeasuredFile read(Path file) throws IOException {
        return new MeasuredFile(nameOf(file), JSON.readTree(file.toFile()));
    }

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
    }

    /** Returns the command line that wrote the file; empty if it does not say. */
    String command() {
        return json.path("command").asText();
    }

    /** Returns the word after {@code signet perf}; empty if there is none. */
    String kind() {
        int at = command().indexOf(PROGRAM);
        return at < 0 ? "" : command().substring(at + PROGRAM.length()).split(" ", 2)[0];
    }

    /** Returns the rows. */
    List<Result> rows() {
        return list("results");
    }

    /** Returns the rows of a list; none if the file does not have it. */
    List<Result> list(String field) {
        return Result.list(json.path(field));
    }

    /** Returns the processor without its marks, such as {@code Intel Xeon}; empty if the file does not say. */
    String processor() {
        String name = json.path("machine").path("processor").asText();
        return name.replace("(R)", "").replace(" Processor", "");
    }

    /** Returns the machine in one line. */
    String machine() {
        return json.path("machine").properties().stream()
                .map(fact -> fact.getKey() + ": " + fact.getValue().asText())
                .collect(Collectors.joining("; "));
    }
}
