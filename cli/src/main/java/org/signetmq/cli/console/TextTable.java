/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns as wide as their widest cell, for people. A column of numbers is aligned to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Returns a table with these column heads. */
    public static TextTable of(String... heads) {
        TextTable table = new TextTable();
        table.rows.add(List.of(heads));
        return table;
    }

    /** Adds a row of as many cells as there are heads. */
    public TextTable row(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "row: " + cells.length + " cells, expected " + rows.get(0).size());
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Returns the lines, without blanks at their ends. */
    public List<String> lines() {
        return rows.stream().map(this::line).toList();
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            String padding = " ".repeat(width(column) - cell.length());
            line.append(column == 0 ? "" : GAP).append(isNumeric(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private boolean isNumeric(int column) {
        return rows.size() > 1
                && rows.stream().skip(1).map(row -> row.get(column)).allMatch(cell -> cell.matches("[-+]?[0-9.,]*"));
    }
}
