/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables in Markdown. */
public final class MarkdownTable {
    private MarkdownTable() {}

    /**
     * Returns a line for each row and a column for each field of any row, objects inside a row field by field.
     *
     * @param shown tells which fields are columns
     */
    public static String of(List<Result> rows, Predicate<String> shown) {
        List<String> fields = rows.stream()
                .flatMap(row -> fields(row.json(), ""))
                .distinct()
                .filter(shown)
                .toList();
        Stream<String> lines = rows.stream().map(row -> line(fields.stream().map(field -> cell(row.at(field)))));
        return line(fields.stream()) + line(fields.stream().map(field -> "---")) + lines.collect(Collectors.joining());
    }

    /** Tells whether any row has a field that is shown. */
    public static boolean hasColumns(List<Result> rows, Predicate<String> shown) {
        return rows.stream().flatMap(row -> fields(row.json(), "")).anyMatch(shown);
    }

    private static Stream<String> fields(JsonNode node, String prefix) {
        return node.properties().stream()
                .flatMap(field -> field.getValue().isObject()
                        ? fields(field.getValue(), prefix + field.getKey() + ".")
                        : Stream.of(prefix + field.getKey()));
    }

    private static String line(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String cell(JsonNode value) {
        if (value.isFloatingPointNumber()) {
            return number(value.asDouble());
        }
        return value.isNull() ? "" : value.asText(); // the text of a missing field is empty
    }

    /** Returns a number as it stands in tables. */
    static String number(double number) {
        return String.format(Locale.ROOT, Math.abs(number) < 10 ? "%.3f" : "%.1f", number);
    }
}
