/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;

/** Makes the figures of a row, which stands for several blocks of a setting. */
public final class RowFigure {
    /** The most work of the compilers in a measured block, in milliseconds a second of both processes. */
    private static final double MOST_COMPILING = 100;

    private static final String SHARES = "runs.share_of_none";

    private RowFigure() {}

    /** Returns a figure; noisy if the blocks differ by much, or Java still compiled the code that they measure. */
    public static Figure of(Result row, double value) {
        double spread = row.number(SHARES + ".max") / row.number(SHARES + ".min");
        Figure scattered = Figure.scattered(value, Double.isNaN(spread) ? 1 : spread);
        return isWarm(row) ? scattered : new Figure(value, true);
    }

    /** Returns whether the compilers had done their work; true for rows that do not tell. */
    public static boolean isWarm(Result row) {
        return !(row.number(Block.BROKER_JIT) + row.number(Block.CLIENT_JIT) > MOST_COMPILING);
    }
}
