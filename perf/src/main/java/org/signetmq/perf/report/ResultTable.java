/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The results of one file as a Markdown table: a row for each, a column for each field; fields of objects with a dot.
 */
final class ResultTable {
    private final List<JsonNode> results;
    private final Predicate<String> shown;

    ResultTable(List<JsonNode> results) {
        this(results, column -> true);
    }

    /** With some of the columns only. */
    ResultTable(List<JsonNode> results, Predicate<String> shown) {
        this.results = results;
        this.shown = shown;
    }

    String markdown() {
        Set<String> columns = new LinkedHashSet<>();
        for (JsonNode result : results) {
            columns(result, "", columns);
        }
        StringBuilder table = new StringBuilder();
        line(table, List.copyOf(columns));
        line(table, columns.stream().map(column -> "---").toList());
        for (JsonNode result : results) {
            List<String> cells = new ArrayList<>();
            for (String column : columns) {
                cells.add(text(result.at("/" + column.replace('.', '/'))));
            }
            line(table, cells);
        }
        return table.toString();
    }

    private void columns(JsonNode node, String prefix, Set<String> columns) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = prefix + field.getKey();
            if (field.getValue().isObject()) {
                columns(field.getValue(), name + ".", columns);
            } else if (shown.test(name)) {
                columns.add(name);
            }
        }
    }

    private static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isFloatingPointNumber()) {
            return value.asText();
        }
        double number = value.asDouble();
        return String.format(Locale.ROOT, Math.abs(number) < 10 ? "%.3f" : "%.1f", number);
    }

    private static void line(StringBuilder table, List<String> cells) {
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
