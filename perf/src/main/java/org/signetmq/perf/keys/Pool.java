/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.List;
import org.signetmq.keystore.epoch.PregenerationSettings;

/** A setting of the pool of keys, and its name in tables. */
record Pool(String name, PregenerationSettings settings) {
    static final Pool OFF = new Pool("off", PregenerationSettings.OFF);
    static final Pool AUTO = new Pool("auto", PregenerationSettings.AUTO);
    /** The setting that the published system came with, and the one that it was tuned to. */
    static final Pool DEFAULT = of(4, 100);

    static final Pool TUNED = of(32, 1000);
    /** The published settings, with none and auto. */
    static final List<Pool> PUBLISHED = List.of(OFF, DEFAULT, TUNED, of(4, 2000), of(32, 2000), AUTO);

    static Pool of(int threads, int capacity) {
        return new Pool("(" + threads + "," + capacity + ")", PregenerationSettings.of(threads, capacity));
    }
}
