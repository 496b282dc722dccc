/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.time.Duration;

/** How long to look at a row. */
enum Depth {
    /** For rows that no target depends on: in one process, so that each finds the code of those before it compiled. */
    SHORT(0, 2, 2, Duration.ofMillis(350)),
    /** For rows that a target depends on, in a run of a few minutes. */
    QUICK(1, 3, 3, Duration.ofMillis(600)),
    /** For figures to be published. */
    FULL(3, 5, 5, Duration.ofSeconds(1));

    /** To start a process, make keys and messages, and end it. */
    private static final Duration PREPARATION = Duration.ofSeconds(1);

    final int forks;
    final int measurements;
    final Duration iteration;

    private final int warmups;

    Depth(int forks, int warmups, int measurements, Duration iteration) {
        this.forks = forks;
        this.warmups = warmups;
        this.measurements = measurements;
        this.iteration = iteration;
    }

    /** Compilers take longer where the threads of a row leave them no core. */
    int warmups(int threads) {
        return threads == 1 ? warmups : 3 * warmups;
    }

    /** How long a row takes about. */
    Duration of(int threads) {
        return iteration
                .multipliedBy(warmups(threads) + measurements)
                .plus(PREPARATION)
                .multipliedBy(Math.max(1, forks));
    }
}
