/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/**
 * A plan of blocks: which settings are measured under which loads, for how long and in what order.
 *
 * @param part tells plans of one experiment apart; empty if there is only one
 * @param settings all that are measured; the first one is the baseline that the others are compared with
 */
public record Plan(String part, List<Setting> settings, List<Load> loads, Timing timing) {
    /** The blocks between two of the baseline. */
    private static final int GROUP = 2;

    /** About how long a pair needs to start. */
    private static final double STARTING_SECONDS = 5;

    /** About how long a pair works under a load before it changes to another one. */
    private static final double REHEARSAL_SECONDS = 1.5;

    public Plan {
        if (loads.isEmpty()) {
            throw new IllegalArgumentException("clients: at least one number is needed");
        }
        if (settings.isEmpty()) {
            throw new IllegalArgumentException("settings: at least the baseline is needed");
        }
        settings = settings.stream().distinct().toList();
        loads = loads.stream().distinct().toList();
    }

    /**
     * The times of blocks.
     *
     * @param warmUpSeconds the most work of each pair before anything counts
     * @param seconds that a block is measured
     * @param rounds blocks of each setting and load
     * @param paces of requests that do not wait for replies, as shares of the baseline's rate
     */
    public record Timing(double warmUpSeconds, double seconds, int rounds, List<Double> paces) {
        private static final int ROUNDS_OF_PACES = 6;
        private static final double LEAST_RAMP = 0.3;
        private static final double MOST_RAMP = 1;

        /** The shares at which latency is measured. */
        public static final List<Double> USUAL_PACES = List.of(0.5, 0.8);

        public Timing {
            Load.require("rounds", rounds, 1);
            if (!(seconds > 0)) {
                throw new IllegalArgumentException("seconds: must be above zero, found " + seconds);
            }
            if (!(warmUpSeconds >= 0)) {
                throw new IllegalArgumentException("warm-up: must not be below zero, found " + warmUpSeconds);
            }
        }

        /**
         * Returns the work of a block before it counts. A pair that did nothing for half a minute needs a second: the
         * caches of the processor and of the operating system have become cold.
         */
        double rampSeconds() {
            return Math.max(LEAST_RAMP, Math.min(MOST_RAMP, seconds));
        }

        /** Returns the most work of each pair before a load counts. */
        double settlingSeconds() {
            return warmUpSeconds / 5;
        }

        /** Returns how long the blocks of other paces are measured. */
        double paceSeconds() {
            return Math.max(1, 1.7 * seconds);
        }

        /** Tells whether a round has blocks of other paces. They take long, and their latencies differ by far. */
        boolean hasPaces(int round) {
            return round % ROUNDS_OF_PACES == 0;
        }
    }

    /** Returns what all others are compared with. */
    public Setting baseline() {
        return settings.get(0);
    }

    /**
     * Returns the blocks of a round in which each request follows a reply at once. The baseline is first, last and
     * after every second block, and odd rounds go backwards. If the machine's speed drifts, it drifts for a setting and
     * for the blocks beside it.
     */
    List<Setting> order(int round) {
        List<Setting> order = new ArrayList<>(settings.subList(1, settings.size()));
        if (round % 2 == 1) {
            Collections.reverse(order);
        }
        List<Setting> blocks = new ArrayList<>(List.of(baseline()));
        for (int i = 0; i < order.size(); i++) {
            blocks.add(order.get(i));
            if (i % GROUP == GROUP - 1 || i == order.size() - 1) {
                blocks.add(baseline());
            }
        }
        return blocks;
    }

    /**
     * A load that warms pairs up.
     *
     * @param seconds the most that it takes
     */
    record WarmUp(Load load, double seconds) {}

    /**
     * Returns the loads that warm pairs up: the first one with the most clients, and then one with large messages,
     * which brokers treat by other code. Half the time is enough for that one, because much of the code is the same.
     */
    List<WarmUp> warmUps() {
        Optional<Load> usual = most(loads.stream().filter(load -> !load.isLarge()));
        Optional<Load> large = most(loads.stream().filter(Load::isLarge));
        double seconds = timing.warmUpSeconds();
        return Stream.concat(
                        usual.map(load -> new WarmUp(load, seconds)).stream(),
                        large.map(load -> new WarmUp(load, usual.isPresent() ? seconds / 2 : seconds)).stream())
                .toList();
    }

    private static Optional<Load> most(Stream<Load> loads) {
        return loads.reduce((one, other) -> one.clients() >= other.clients() ? one : other);
    }

    /** Returns the loads between which pairs change before they warm up; none if there is one load. */
    List<Load> rehearsedLoads() {
        if (loads.size() == 1) {
            return List.of();
        }
        Load first = loads.get(0);
        Load last = loads.get(loads.size() - 1);
        return List.of(first, last, first);
    }

    /** Returns how long a pair starts and warms up at most, in seconds. Where it starts late, it warms up for less. */
    double pairSeconds() {
        double warmUp = warmUps().stream().mapToDouble(WarmUp::seconds).sum();
        return STARTING_SECONDS + rehearsedLoads().size() * REHEARSAL_SECONDS + warmUp;
    }

    /** Returns about how long all blocks take, in seconds. */
    public double seconds() {
        return settings.size() * pairSeconds()
                + loads.stream().mapToDouble(this::seconds).sum();
    }

    private double seconds(Load load) {
        int paced = timing.paces().size() * settings.size();
        long pacedRounds =
                IntStream.range(0, timing.rounds()).filter(timing::hasPaces).count();
        double beside = timing.rampSeconds() + load.secondsBesideBlock();
        double connecting = (2.0 + timing.settlingSeconds() / 4) * settings.size();
        return timing.rounds() * order(0).size() * (timing.seconds() + beside)
                + pacedRounds * paced * (timing.paceSeconds() + beside)
                + connecting;
    }
}
