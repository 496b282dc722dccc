/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table for a terminal.
 *
 * @param <T> the type that a line shows
 */
public record Table<T>(List<Column<T>> columns) {
    /** A column: its heading, its format such as {@code %9.1f}, and its value, or a text in place of a number. */
    public record Column<T>(String title, String format, Function<T, Object> value) {
        private String cell(Object content) {
            String fitting = content instanceof String ? format.replaceAll("(\\.\\d+)?[a-z]$", "s") : format;
            return String.format(Locale.ROOT, fitting, content);
        }
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    public Table(Column<T>... columns) {
        this(List.of(columns));
    }

    /** Returns a column of texts, empty where a row has none. */
    public static Column<Result> text(String title, String format, String field) {
        return new Column<>(title, format, row -> row.text(field));
    }

    /** Returns a column of numbers, NaN where a row has none. */
    public static Column<Result> number(String title, String format, String field) {
        return new Column<>(title, format, row -> row.number(field));
    }

    /** Returns a column of numbers, with this text where a row has none. */
    public static Column<Result> number(String title, String format, String field, String otherwise) {
        return new Column<>(title, format, row -> numberOr(row.number(field), otherwise));
    }

    /** Returns the number, or this text in place of NaN. */
    public static Object numberOr(double number, String otherwise) {
        return Double.isNaN(number) ? otherwise : number;
    }

    /** Prints the headings and a line for each row. */
    public void print(List<T> rows, PrintStream out) {
        printHeadings(out);
        rows.forEach(row -> printLine(row, out));
    }

    public void printHeadings(PrintStream out) {
        out.println(line(Column::title));
    }

    public void printLine(T row, PrintStream out) {
        out.println(line(column -> column.value().apply(row)));
    }

    private String line(Function<Column<T>, Object> content) {
        return columns.stream()
                .map(column -> column.cell(content.apply(column)))
                .collect(Collectors.joining(" "));
    }
}
