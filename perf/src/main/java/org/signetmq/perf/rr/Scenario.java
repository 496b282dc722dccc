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
 * @param repetition how often
 */
record Scenario(List<Variant> protecting, List<Load> loads, Block.Times times, Repetition repetition) {
    /**
     * How often.
     *
     * @param warmUp round trips of each variant before anything counts
     * @param runs of each variant and load after that
     */
    record Repetition(long warmUp, int runs) {
        Repetition {
            if (warmUp < 0 || runs < 1) {
                throw new IllegalArgumentException("runs: at least one is needed, found " + runs);
            }
        }
    }

    Scenario {
        protecting = List.copyOf(protecting);
        loads = List.copyOf(loads);
        if (loads.isEmpty()) {
            throw new IllegalArgumentException("clients: at least one number is needed");
        }
    }

    /** The load that compiles the most code in the least time. */
    Load heaviest() {
        return loads.stream().max(Comparator.comparingInt(Load::clients)).orElseThrow();
    }

    long warmUp() {
        return repetition.warmUp();
    }

    int runs() {
        return repetition.runs();
    }
}
