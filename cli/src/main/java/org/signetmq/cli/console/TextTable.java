/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rows in columns as wide as their widest cell, for people. A column of numbers is aligned to the right. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    /** Returns a table with these column heads. */
    public static TextTable of(String... heads) {
        TextTable table = new TextTable();
        table.rows.add(List.of(heads));
        return table;
    }

    /** Adds a row of as many cells as there are heads. A cell that is null is shown as a dash. */
    public TextTable row(@Nullable Object... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "row: " + cells.length + " cells, expected " + rows.get(0).size());
        }
        rows.add(Stream.of(cells)
                .map(cell -> cell == null ? "-" : cell.toString())
                .toList());
        return this;
    }

    /** Returns the lines, without blanks at their ends. */
    public List<String> lines() {
        String format =
                IntStream.range(0, rows.get(0).size()).mapToObj(this::format).collect(Collectors.joining("  "));
        return rows.stream()
                .map(row -> format.formatted(row.toArray()).stripTrailing())
                .toList();
    }

    private String format(int column) {
        List<String> cells = rows.stream().map(row -> row.get(column)).toList();
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        boolean numeric = cells.size() > 1 && cells.stream().skip(1).allMatch(cell -> cell.matches("[-+]?[0-9.,]*"));
        return "%" + (numeric ? "" : "-") + Math.max(1, width) + "s";
    }

    /** Returns a number with the word for one, or for several. */
    public static String count(long number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }
}
