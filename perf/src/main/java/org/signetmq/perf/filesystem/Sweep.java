/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import picocli.CommandLine.Option;

/** The options that say which brokers and loads are measured. */
final class Sweep {
    private static final Choice<String> SCENARIOS = new Choice<>(
            List.of("one"),
            Stream.concat(Scenario.labels().stream(), Examination.NAMES.stream())
                    .toList());
    private static final Choice<Integer> SIZES =
            new Choice<>(List.of(2048, 20_480), List.of(256, 2048, 20_480, 204_800));
    private static final Choice<Integer> SIZES_OF_SMALL = new Choice<>(List.of(2048), List.of(2048));
    private static final Choice<Integer> CLIENTS_OF_SMALL = new Choice<>(List.of(20), List.of(20));
    private static final Choice<Integer> CLIENTS = new Choice<>(List.of(1, 20), List.of(1, 20));
    private static final Choice<Integer> CLIENTS_OF_ONE = new Choice<>(List.of(1, 20), List.of(1, 20, 120));

    @Option(
            names = "--scenario",
            paramLabel = "SCENARIO",
            split = ",",
            description =
                    "one (broker), several, ha (a primary and its backup), several-ha; half-core and one-core: one"
                            + " broker with so much processor time; cold: deep queues are read after a restart, and the system's caches are dropped;"
                            + " coverage: payloads are looked for on disks, connections and in the broker's memory."
                            + " Default: all; one with --quick.")
    private @Nullable List<String> scenarios;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            split = ",",
            description = "Payload of requests and replies. Default: 256,2048,20480,204800; 2048,20480 with --quick;"
                    + " half-core and one-core: 2048.")
    private @Nullable List<Integer> sizes;

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            description = "Requesters, each with one request under way."
                    + " Default: 1,20, and 120 on one broker without --quick; 20 with half-core and one-core.")
    private @Nullable List<Integer> clients;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description = "Brokers of several and several-ha; the report has 10. Default: ${DEFAULT-VALUE}.")
    private int brokers = 3;

    /** A plan, and the brokers that it runs on. */
    record Stage(Plan plan, Brokers brokers) {}

    /** What is measured if an option is not given. */
    private record Choice<T>(List<T> quick, List<T> full) {
        List<T> or(@Nullable List<T> given, boolean isQuick) {
            return given != null ? given : isQuick ? quick : full;
        }
    }

    /**
     * Returns all stages.
     *
     * @throws IllegalArgumentException if an option has no meaning; the message begins with its name
     */
    List<Stage> stages(Timing timing, boolean isQuick) {
        return SCENARIOS.or(scenarios, isQuick).stream()
                .filter(name -> !Examination.NAMES.contains(name))
                .map(Scenario::named)
                .distinct()
                .flatMap(scenario -> Comparison.of(scenario)
                        .map(comparison -> new Stage(
                                comparison.plan(scenario, loads(scenario, isQuick), timing),
                                scenario.brokers(brokers))))
                .toList();
    }

    /** Tells whether an examination is asked for. */
    boolean has(String examination, boolean isQuick) {
        return SCENARIOS.or(scenarios, isQuick).contains(examination);
    }

    private List<Load> loads(Scenario scenario, boolean isQuick) {
        Choice<Integer> sizeChoice = scenario.isLimited() ? SIZES_OF_SMALL : SIZES;
        Choice<Integer> clientChoice =
                scenario.isLimited() ? CLIENTS_OF_SMALL : scenario == Scenario.ONE ? CLIENTS_OF_ONE : CLIENTS;
        return sizeChoice.or(sizes, isQuick).stream()
                .flatMap(size -> clientChoice.or(clients, isQuick).stream()
                        .map(count -> Load.of(count, scenario.queues(brokers), size)))
                .toList();
    }
}
