/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

/** How files come. */
enum Arrival {
    /** One after the other, from half of the cores: the others are free to make keys. */
    CLOSED("closed loop"),
    /** One after the other, from twice as many threads as cores: no core is free. */
    SATURATED("saturated"),
    /** From half of the cores, many at once and then a pause. */
    BURSTY("bursts");

    static final int BURST_FILES = 50;
    static final long PAUSE_NANOS = 60_000_000;

    private final String word;

    Arrival(String word) {
        this.word = word;
    }

    int uploaders() {
        int cores = Runtime.getRuntime().availableProcessors();
        return this == SATURATED ? 2 * cores : Math.max(1, cores / 2);
    }

    @Override
    public String toString() {
        return word;
    }
}
