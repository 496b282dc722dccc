/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/**
 * A plan of blocks for variants. It compares each variant with no protection.
 *
 * @param seconds that a block is measured warm
 * @param warmUp round trips of each variant before anything counts
 * @param runs of each variant and load after that
 */
record Scenario(List<Variant> protecting, List<Load> loads, int seconds, long warmUp, int runs) {
    private static final long MOST_COLD_MILLIS = 1_000;

    Scenario {
        require("warm-up", warmUp, 0);
        require("runs", runs, 1);
        require("seconds", seconds, 1);
        if (loads.isEmpty()) {
            throw new IllegalArgumentException("clients: at least one number is needed");
        }
    }

    static void require(String option, long value, int least) {
        if (value < least) {
            String must = least == 0 ? "must not be below zero" : "must be above zero";
            throw new IllegalArgumentException(option + ": " + must + ", found " + value);
        }
    }

    /** Returns all combinations that protect; those that are compared with each other stand side by side. */
    static List<Variant> variants(List<QualityOfProtection> qualities, List<Reuse> reuses, List<KeyKind> keys) {
        List<Variant> variants = new ArrayList<>();
        for (KeyKind key : keys) {
            for (QualityOfProtection quality : qualities) {
                switch (quality) {
                    case NONE -> {}
                    case INTEGRITY, PRIVACY -> variants.add(new Variant(quality, Reuse.NONE, key));
                    case CONFIDENTIALITY -> reuses.forEach(reuse -> variants.add(new Variant(quality, reuse, key)));
                }
            }
        }
        return variants;
    }

    Block block(Variant variant, Load load) {
        return new Block(variant, load, coldMillis(), warmMillis());
    }

    /** Returns a block of the load that compiles the most code in the least time. */
    Block warmUpBlock(Variant variant) {
        return new Block(variant, Collections.max(loads, Comparator.comparingInt(Load::clients)), 0, warmMillis());
    }

    private long coldMillis() {
        return Math.min(MOST_COLD_MILLIS, seconds * 500L);
    }

    private long warmMillis() {
        return seconds * 1_000L;
    }

    List<Variant> warmUpPlan() {
        List<Variant> plan = new ArrayList<>(List.of(Variant.UNPROTECTED));
        plan.addAll(protecting);
        return plan;
    }

    /** Returns how often the warm-up plan fits into half of the time of all other blocks; at least 1. */
    long mostWarmUpRounds() {
        long blocks = (2L * protecting.size() + 1) * runs * loads.size();
        long measuredMillis = blocks * (coldMillis() + warmMillis());
        return Math.max(1, measuredMillis / 2 / (warmUpPlan().size() * warmMillis()));
    }

    /**
     * Returns none, A, none, B, none; in every other run the variants backwards. If the machine's speed drifts, it
     * drifts for a variant and for the blocks beside it.
     */
    List<Variant> plan(int run) {
        List<Variant> order = new ArrayList<>(protecting);
        if (run % 2 == 1) {
            Collections.reverse(order);
        }
        List<Variant> plan = new ArrayList<>(List.of(Variant.UNPROTECTED));
        order.forEach(variant -> plan.addAll(List.of(variant, Variant.UNPROTECTED)));
        return plan;
    }
}
