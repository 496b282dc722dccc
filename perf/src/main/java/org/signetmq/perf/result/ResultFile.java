/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of rows, as comma-separated values.
 *
 * @param notes lines about the run, which stand before the rows behind a {@code #}
 */
public record ResultFile(List<String> notes, List<Row> rows) {
    private static final String NOTE = "# ";

    public ResultFile {
        notes = List.copyOf(notes);
        rows = List.copyOf(rows);
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read, or a line has another number of cells than the heading
     */
    public static ResultFile read(Path file) throws IOException {
        List<String> notes = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        List<String> names = List.of();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(NOTE)) {
                notes.add(line.substring(NOTE.length()));
            } else if (names.isEmpty()) {
                names = List.of(line.split(","));
            } else {
                rows.add(row(names, line.split(",", -1), file));
            }
        }
        return new ResultFile(notes, rows);
    }

    private static Row row(List<String> names, String[] cells, Path file) throws IOException {
        if (cells.length != names.size()) {
            throw new IOException(
                    file + ": must have " + names.size() + " cells a line, found " + Arrays.toString(cells));
        }
        Row row = Row.EMPTY;
        for (int i = 0; i < cells.length; i++) {
            row = cells[i].isEmpty() ? row : row.with(names.get(i), cells[i]);
        }
        return row;
    }

    /**
     * Replaces a file.
     *
     * @throws IllegalArgumentException if a cell has a comma or the end of a line
     */
    public void write(Path file) throws IOException {
        List<String> names = rows.stream()
                .flatMap(row -> row.cells().keySet().stream())
                .distinct()
                .toList();
        List<String> lines = Stream.of(
                        notes.stream().map(NOTE::concat),
                        Stream.of(String.join(",", names)),
                        rows.stream().map(row -> names.stream().map(row::text).collect(Collectors.joining(","))))
                .flatMap(all -> all)
                .toList();
        rows.stream().flatMap(row -> names.stream().map(row::text)).forEach(cell -> {
            if (cell.matches("(?s).*[,\\r\\n].*")) {
                throw new IllegalArgumentException("cell: must have no comma and one line, found '" + cell + "'");
            }
        });
        Path draft = file.resolveSibling("." + file.getFileName() + ".new");
        Files.write(draft, lines);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
