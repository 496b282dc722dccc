/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names a figure of an experiment: a column, and the rows that count. If several rows match, the smallest value counts.
 *
 * @param where the values that tell these rows from others
 * @param over the figure by which this one is divided; null if it stands for itself
 */
public record Pick(
        String column, Map<String, String> where, @Nullable Pick over) {
    /** The column of the largest value over the smallest of a row's rounds. */
    public static final String SPREAD = "spread";
    /** The column of the milliseconds a second that Java's compilers still worked. */
    public static final String COMPILING = "jit_ms_per_s";

    private static final double CALM_SPREAD = 1.5;
    private static final double MOST_COMPILING = 100;

    /**
     * A figure.
     *
     * @param value NaN if a part of it was not measured
     * @param isNoisy whether it scatters too much to be relied on
     */
    public record Figure(double value, boolean isNoisy) {
        static final Figure NONE = new Figure(Double.NaN, false);

        public boolean isMeasured() {
            return !Double.isNaN(value);
        }
    }

    /** Returns the figure of a column, with names and values of other columns by turns. */
    public static Pick of(String column, Object... where) {
        Map<String, String> cells = new LinkedHashMap<>();
        for (int i = 0; i < where.length; i += 2) {
            cells.put(where[i].toString(), where[i + 1].toString());
        }
        return new Pick(column, cells, null);
    }

    /** Returns this figure divided by another one. */
    public Pick over(Pick other) {
        return new Pick(column, where, other);
    }

    /** Returns the figure in these rows. */
    public Figure in(List<Row> rows) {
        List<Row> counted = rows.stream()
                .filter(row -> row.has(column) && row.matches(where))
                .collect(Collectors.toList());
        counted.sort((one, other) -> Double.compare(one.number(column), other.number(column)));
        Figure own =
                counted.isEmpty() ? Figure.NONE : new Figure(counted.get(0).number(column), isNoisy(counted.get(0)));
        if (over == null) {
            return own;
        }
        Figure other = over.in(rows);
        return new Figure(own.value / other.value, own.isNoisy || other.isNoisy);
    }

    /** Tells whether the rounds of a row differ by much, or Java still compiled the code that they measured. */
    public static boolean isNoisy(Row row) {
        return row.number(SPREAD) > CALM_SPREAD || row.number(COMPILING) > MOST_COMPILING;
    }
}
