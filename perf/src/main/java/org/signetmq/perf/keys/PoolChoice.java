/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.keystore.epoch.PregenerationSettings;

/**
 * A setting of the pool of keys.
 *
 * @param name as it is printed
 * @param settings what the product gets
 */
record PoolChoice(String name, PregenerationSettings settings) {
    static final PoolChoice OFF = new PoolChoice("off", PregenerationSettings.OFF);
    static final PoolChoice AUTO = new PoolChoice("auto", PregenerationSettings.AUTO);

    /** What the published system came with, and what it was tuned to. */
    static final PoolChoice DEFAULT = of(4, 100);

    static final PoolChoice TUNED = of(32, 1000);

    static PoolChoice of(int threads, int capacity) {
        return new PoolChoice("(" + threads + "," + capacity + ")", PregenerationSettings.of(threads, capacity));
    }

    /** The published ones, with none and auto. */
    static List<PoolChoice> published() {
        return List.of(OFF, DEFAULT, TUNED, of(4, 2000), of(32, 2000), AUTO);
    }

    /** The sweep for the best manual setting. */
    static List<PoolChoice> sweep(List<Integer> threads, List<Integer> capacities) {
        List<PoolChoice> choices = new ArrayList<>(List.of(OFF, AUTO));
        for (int thread : threads) {
            for (int capacity : capacities) {
                choices.add(of(thread, capacity));
            }
        }
        return choices;
    }
}
