/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.util.List;
import org.signetmq.perf.result.Pick.Figure;

/**
 * A figure that Signet wants to reach, or a shape of what was published.
 *
 * @param value the largest good one, or the smallest
 */
public record Bar(String name, Side side, double value, Pick pick) {
    /** Which values are good. */
    public enum Side {
        AT_MOST,
        AT_LEAST
    }

    /** The verdict of a run. A noisy figure proves nothing. */
    public enum Verdict {
        MET,
        MISSED,
        NOISY,
        NOT_MEASURED
    }

    public static Bar atMost(double value, String name, Pick pick) {
        return new Bar(name, Side.AT_MOST, value, pick);
    }

    public static Bar atLeast(double value, String name, Pick pick) {
        return new Bar(name, Side.AT_LEAST, value, pick);
    }

    /** Returns the verdict of these rows. */
    public Verdict verdict(List<Row> rows) {
        Figure figure = pick.in(rows);
        if (!figure.isMeasured()) {
            return Verdict.NOT_MEASURED;
        }
        if (figure.isNoisy()) {
            return Verdict.NOISY;
        }
        boolean isMet = side == Side.AT_MOST ? figure.value() <= value : figure.value() >= value;
        return isMet ? Verdict.MET : Verdict.MISSED;
    }

    /** Returns a row of a table with the measured value and the verdict. */
    public Row in(List<Row> rows) {
        return Row.of("bar", name)
                .with("measured", pick.in(rows).value())
                .with("wanted", (side == Side.AT_MOST ? "at most " : "at least ") + Table.number(value))
                .with(
                        "verdict",
                        verdict(rows).name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
    }
}
