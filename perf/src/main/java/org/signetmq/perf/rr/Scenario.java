/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.Comparator;
import java.util.List;

/**
 * What is measured.
 *
 * @param protecting the variants, each compared with no protection
 * @param loads one after the other
 * @param times of a block
 * @param runs how often
 */
record Scenario(List<Variant> protecting, List<Load> loads, Block.Times times, int runs) {
    Scenario {
        protecting = List.copyOf(protecting);
        loads = List.copyOf(loads);
        if (loads.isEmpty() || runs < 1) {
            throw new IllegalArgumentException("scenario: at least one load and one run are needed");
        }
    }

    /** The load that compiles the most code in the least time. */
    Load heaviest() {
        return loads.stream().max(Comparator.comparingInt(Load::clients)).orElseThrow();
    }

    /** As long as a measured block. */
    Block.Times warmUp() {
        return times;
    }
}
