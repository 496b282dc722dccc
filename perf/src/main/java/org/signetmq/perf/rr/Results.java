/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.signetmq.policy.QualityOfProtection;

/** All rows of a run. */
record Results(List<Row> rows) {
    Results {
        rows = List.copyOf(rows);
    }

    /** How many runs there were; unprotected blocks are more, for one is before and after each other. */
    static int runs(Row row) {
        return row.warm().size();
    }

    /** The rate of a row with limited key reuse as a share of that without a limit, each relative to its own none. */
    OptionalDouble shareOfUnlimited(Row row) {
        if (row.variant().quality() != QualityOfProtection.CONFIDENTIALITY
                || row.variant().reuse().equals(Reuse.UNLIMITED)) {
            return OptionalDouble.empty();
        }
        Variant unlimited = new Variant(
                row.variant().quality(), Reuse.UNLIMITED, row.variant().key());
        return rows.stream()
                .filter(other ->
                        other.variant().equals(unlimited) && other.load().equals(row.load()))
                .mapToDouble(other -> share(row, other))
                .findFirst();
    }

    private static double share(Row limited, Row unlimited) {
        int runs = Math.min(runs(limited), runs(unlimited));
        return Spread.of(IntStream.range(0, runs)
                        .mapToDouble(run -> limited.warm().get(run).shareOfNone()
                                / unlimited.warm().get(run).shareOfNone()))
                .median();
    }
}
