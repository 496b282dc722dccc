/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.broker.Brokers.Backup;

/** The brokers of the published experiment. */
enum Scenario {
    ONE("one", "1-qm"),
    SEVERAL("several", "10-qm"),
    HA("ha", "1-ha"),
    SEVERAL_HA("several-ha", "10-ha"),
    /** A small machine. The published models differ by their processors. */
    HALF_CORE("half-core", "1-qm"),
    ONE_CORE("one-core", "1-qm");

    /** The queues of one broker, as published. */
    private static final int QUEUES = 10;

    private final String label;
    private final String published;

    Scenario(String label, String published) {
        this.label = label;
        this.published = published;
    }

    /** Returns the name in options and results. */
    String label() {
        return label;
    }

    /** Returns the name in the published document. */
    String published() {
        return published;
    }

    /** Returns the brokers, with this number where there are several. */
    Brokers brokers(int several) {
        return switch (this) {
            case ONE -> Brokers.ONE;
            case SEVERAL -> new Brokers(several, Backup.NONE);
            case HA -> new Brokers(1, Backup.REPLICA);
            case SEVERAL_HA -> new Brokers(several, Backup.REPLICA);
            case HALF_CORE -> Brokers.limitedTo(0.5);
            case ONE_CORE -> Brokers.limitedTo(1);
        };
    }

    /** Tells whether the broker has less processor time than the machine. */
    boolean isLimited() {
        return brokers(1).cores() > 0;
    }

    /** Returns the number of queues: about ten, and the same number on each broker. */
    int queues(int several) {
        int brokers = brokers(several).count();
        return brokers * Math.max(1, (QUEUES + brokers - 1) / brokers);
    }

    /**
     * Returns the scenario with this label.
     *
     * @throws IllegalArgumentException if there is none; the message names all
     */
    static Scenario named(String label) {
        return Stream.of(values())
                .filter(scenario -> scenario.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario: must be one of "
                        + String.join(", ", labels()) + ", " + String.join(", ", Examination.NAMES) + ", found '"
                        + label + "'"));
    }

    /** Returns the labels of all. */
    static List<String> labels() {
        return Stream.of(values()).map(Scenario::label).toList();
    }
}
