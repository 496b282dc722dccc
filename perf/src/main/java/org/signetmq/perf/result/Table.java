/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows as a table. A column of which no row has a value is left out. */
public record Table(List<String> columns, List<Row> rows) {
    /** Leaves out empty columns. */
    public Table {
        List<Row> all = List.copyOf(rows);
        columns = columns.stream()
                .filter(column -> all.stream().anyMatch(row -> row.has(column)))
                .toList();
        rows = all;
    }

    /** Returns a number as tables show it: three decimals below 10, else one, and none from 1,000 on. */
    public static String number(double number) {
        double size = Math.abs(number);
        if (number == Math.rint(number) && size < 1e9) {
            return String.format(Locale.ROOT, "%.0f", number);
        }
        return String.format(Locale.ROOT, size < 10 ? "%.3f" : size < 1_000 ? "%.1f" : "%.0f", number);
    }

    private static String cell(Row row, String column) {
        double number = row.number(column);
        return Double.isNaN(number) ? row.text(column) : number(number);
    }

    /** Prints the table for a terminal. */
    public void print(PrintStream out) {
        List<List<String>> lines = new ArrayList<>(List.of(columns));
        rows.forEach(row ->
                lines.add(columns.stream().map(column -> cell(row, column)).toList()));
        int[] widths = new int[columns.size()];
        lines.forEach(line -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        });
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String space = " ".repeat(widths[i] - line.get(i).length());
                boolean isText = rows.stream().allMatch(numberless(columns.get(i)));
                text.append(isText ? line.get(i) + space : space + line.get(i)).append("  ");
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private static java.util.function.Predicate<Row> numberless(String column) {
        return row -> Double.isNaN(row.number(column));
    }

    /** Returns the table in Markdown. */
    public String markdown() {
        return line(columns)
                + line(columns.stream()
                        .map(column -> rows.stream().allMatch(numberless(column)) ? "---" : "--:")
                        .toList())
                + rows.stream()
                        .map(row -> line(columns.stream()
                                .map(column -> cell(row, column))
                                .toList()))
                        .collect(Collectors.joining());
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
