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
            if (warmUp < 0) {
                throw new IllegalArgumentException("warm-up: must not be below zero, found " + warmUp);
            }
            if (runs < 1) {
                throw new IllegalArgumentException("runs: must be above zero, found " + runs);
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

    /** How long all blocks take that are not for warming up. */
    long measuredMillis() {
        long blocks = (2L * protecting.size() + 1) * repetition.runs() * loads.size();
        return blocks * (times.coldMillis() + times.warmMillis());
    }

    int runs() {
        return repetition.runs();
    }
}
