/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import org.jspecify.annotations.Nullable;
import org.signetmq.perf.targets.Figure;

/**
 * What a row came to; NaN where it failed.
 *
 * @param spread the slowest iteration's time over the fastest one's
 * @param failure why there are no figures, or null
 */
record Measured(
        RowCatalog.Entry row,
        double microsPerOp,
        double bytesPerOp,
        double spread,
        @Nullable String failure) {
    Measured(RowCatalog.Entry row, double microsPerOp, double bytesPerOp, double spread) {
        this(row, microsPerOp, bytesPerOp, spread, null);
    }

    static Measured failed(RowCatalog.Entry row, String reason) {
        return new Measured(row, Double.NaN, Double.NaN, Double.NaN, reason);
    }

    /** Something else kept the machine busy, or the compiler was not done: not a figure to rely on. */
    boolean noisy() {
        return spread > Figure.CALM_SPREAD;
    }

    boolean failed() {
        return Double.isNaN(microsPerOp);
    }
}
