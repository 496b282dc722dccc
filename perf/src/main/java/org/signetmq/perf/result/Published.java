/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A published figure, and ours beside it.
 *
 * @param same the figure of the published manner in our experiment; null if we do not have that manner
 * @param signet that of Signet; null if the figure is not about Signet
 */
public record Published(
        String name,
        double value,
        @Nullable Pick same,
        @Nullable Pick signet) {
    /** Returns a row of a table: the published figure, and those of ours that were measured. */
    public Row in(List<Row> rows) {
        return Row.of("figure", name)
                .with("published", value)
                .with("same manner here", ours(same, rows))
                .with("Signet", ours(signet, rows));
    }

    private static Object ours(@Nullable Pick pick, List<Row> rows) {
        Pick.Figure figure = pick == null ? Pick.Figure.NONE : pick.in(rows);
        return figure.isMeasured() && figure.isNoisy() ? "noisy" : figure.value();
    }

    /**
     * A published document.
     *
     * @param source the title and the place of the document
     * @param reading how the values come from the document, and their error
     */
    public record Document(String source, String reading, List<Chart> figures) {
        /** Reads a document of the folder {@code published} of the resources. */
        public static Document read(String name) {
            try (InputStream in = Objects.requireNonNull(
                    Published.class.getResourceAsStream("/org/signetmq/perf/published/" + name + ".json"), name)) {
                return new ObjectMapper().readValue(in, Document.class);
            } catch (IOException e) {
                throw new UncheckedIOException("published: " + name, e);
            }
        }

        /** Returns a chart of the document. */
        public Chart figure(String name) {
            return figures.stream()
                    .filter(figure -> figure.name.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("figure: must be in the document: " + name));
        }
    }

    /**
     * The curves of one published chart.
     *
     * @param x the meaning of the numbers in {@code at}
     * @param y the meaning of the values
     */
    public record Chart(String name, String x, String y, List<Double> at, Map<String, List<Double>> curves) {
        /** Rejects curves that do not fit the axis. */
        public Chart {
            curves.forEach((curve, values) -> {
                if (values.size() != at.size()) {
                    throw new IllegalArgumentException(name + ": curve " + curve + " must have a value for each x");
                }
            });
        }

        /** Returns the value of a curve at exactly this x. */
        public double value(String curve, double where) {
            List<Double> values = curves.get(curve);
            int index = at.indexOf(where);
            if (values == null || index < 0) {
                throw new IllegalArgumentException(name + ": no value of " + curve + " at " + where);
            }
            return values.get(index);
        }

        /** Returns the ratio of two curves at this x. */
        public double ratio(String curve, String other, double where) {
            return value(curve, where) / value(other, where);
        }
    }
}
