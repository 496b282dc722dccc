/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A row of results, or a message between two processes: values with names, in their order.
 *
 * @param cells texts and numbers
 */
public record Row(Map<String, Object> cells) {
    public static final Row EMPTY = new Row(Map.of());
    private static final MathContext DIGITS = new MathContext(5);

    public Row {
        cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
    }

    public static Row of(String name, Object value) {
        return EMPTY.with(name, value);
    }

    /** Returns the row with one more cell, or with another value in it; the same row if the value is NaN. */
    public Row with(String name, Object value) {
        return value.equals(Double.NaN) ? this : and(new Row(Map.of(name, value)));
    }

    /** Returns the row with all cells of another. */
    public Row and(Row other) {
        Map<String, Object> all = new LinkedHashMap<>(cells);
        all.putAll(other.cells);
        return new Row(all);
    }

    public boolean has(String name) {
        return cells.containsKey(name);
    }

    /** Returns a value as it stands in files; empty if there is none. */
    public String text(String name) {
        return format(cells.getOrDefault(name, ""));
    }

    private static String format(Object value) {
        if (value instanceof Double number) {
            return new BigDecimal(number).round(DIGITS).stripTrailingZeros().toPlainString();
        }
        return value.toString();
    }

    /** Returns a number; NaN if there is none. */
    public double number(String name) {
        Object value = cells.getOrDefault(name, "");
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        String text = value.toString();
        return text.matches("-?[0-9]+(\\.[0-9]+)?(E-?[0-9]+)?") ? Double.parseDouble(text) : Double.NaN;
    }

    /** Tells whether the row has these values, as they stand in files. */
    public boolean matches(Map<String, String> wanted) {
        return wanted.entrySet().stream().allMatch(cell -> text(cell.getKey()).equals(cell.getValue()));
    }

    /** Returns the numbers of these rows in a column, without those that are missing. */
    public static double[] numbers(List<Row> rows, String name) {
        return rows.stream()
                .mapToDouble(row -> row.number(name))
                .filter(Double::isFinite)
                .toArray();
    }
}
