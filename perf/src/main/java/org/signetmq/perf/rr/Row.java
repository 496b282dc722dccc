/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All that was measured of one variant under one load.
 *
 * @param variant how messages were protected
 * @param load how much was asked
 * @param cold one per block, right after connecting
 * @param warm one per block, after that
 */
record Row(Variant variant, Load load, List<Sample> cold, List<Sample> warm) {
    Row {
        cold = List.copyOf(cold);
        warm = List.copyOf(warm);
    }

    Spread spread(ToDoubleFunction<Sample> figure) {
        return Spread.of(warm.stream().mapToDouble(figure));
    }

    Spread coldSpread(ToDoubleFunction<Sample> figure) {
        return Spread.of(cold.stream().mapToDouble(figure));
    }

    double coldMedian(ToDoubleFunction<Sample> figure) {
        return coldSpread(figure).median();
    }

    double median(ToDoubleFunction<Sample> figure) {
        return spread(figure).median();
    }
}
