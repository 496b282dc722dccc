/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Tables in Markdown. */
public final class MarkdownTable {
    private MarkdownTable() {}

    /**
     * Returns a line for each row and a column for each field of any row, objects inside a row field by field.
     *
     * @param shown tells which fields are columns
     */
    public static String of(List<Result> rows, Predicate<String> shown) {
        Set<String> fields = new LinkedHashSet<>();
        rows.forEach(row -> addFields(row.json(), "", fields));
        fields.removeIf(shown.negate());
        List<Collection<String>> lines = new ArrayList<>(List.of(fields, Collections.nCopies(fields.size(), "---")));
        rows.forEach(row ->
                lines.add(fields.stream().map(field -> cell(row.at(field))).toList()));
        return lines.stream()
                .map(line -> "| " + String.join(" | ", line) + " |\n")
                .collect(Collectors.joining());
    }

    private static void addFields(JsonNode node, String prefix, Set<String> fields) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = prefix + field.getKey();
            if (field.getValue().isObject()) {
                addFields(field.getValue(), name + ".", fields);
            } else {
                fields.add(name);
            }
        }
    }

    private static String cell(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isFloatingPointNumber()) {
            return value.asText();
        }
        double number = value.asDouble();
        return String.format(Locale.ROOT, Math.abs(number) < 10 ? "%.3f" : "%.1f", number);
    }
}
