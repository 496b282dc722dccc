/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The order of things: before and after each block of a variant, one without protection. A machine whose speed drifts
 * drifts for both.
 */
final class RunPlan {
    private RunPlan() {}

    /** None, A, none, B, none; in every other run the variants backwards. */
    static List<Variant> interleaved(List<Variant> protecting, int run) {
        List<Variant> order = new ArrayList<>(protecting);
        if (run % 2 == 1) {
            Collections.reverse(order);
        }
        List<Variant> plan = new ArrayList<>();
        plan.add(Variant.UNPROTECTED);
        for (Variant variant : order) {
            plan.add(variant);
            plan.add(Variant.UNPROTECTED);
        }
        return plan;
    }

    /** Each variant once, each as long as a measured one, so that all code is compiled before anything counts. */
    static List<Variant> warmUp(List<Variant> protecting) {
        List<Variant> plan = new ArrayList<>();
        plan.add(Variant.UNPROTECTED);
        plan.addAll(protecting);
        return plan;
    }
}
