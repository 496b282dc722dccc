/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.FileMix;

/** E1: pools of keys, compared in situations in which all but the pool is the same. */
final class PoolExperiment {
    private static final int RUNS = 3;
    private static final FileMix PUBLISHED = new FileMix(80);
    private static final Set<String> WARM_UP_KEYS = Set.of("raw", "wrapped R=1", "agreed R=1");
    private static final Set<String> SWEEP_KEYS = Set.of("wrapped R=5", "service 3 ms");
    private static final Set<String> QUICK_KEYS =
            Set.of("raw", "wrapped R=1", "wrapped R=5", "wrapped R=50", "agreed R=1", "agreed R=20", "service 10 ms");

    private final boolean quick;

    PoolExperiment(boolean quick) {
        this.quick = quick;
    }

    /** Returns the rows of all situations that could be measured. */
    List<Result> run(Parts parts) throws InterruptedException {
        List<Result> rows = new ArrayList<>();
        List<Situation> situations = new ArrayList<>();
        parts.run("keys", () -> {
            warmUp();
            situations.addAll(situations());
        });
        for (int i = 0; i < situations.size(); i++) {
            Situation situation = situations.get(i);
            System.err.printf("[%d/%d] %s%n", i + 1, situations.size(), situation.name());
            parts.run(situation.name(), () -> rows.addAll(situation.results(medians(situation))));
        }
        return rows;
    }

    /** Has the code compiled before the first situation is measured. */
    private static void warmUp() throws Exception {
        for (MeasuredWrapping keys : MeasuredWrapping.all()) {
            if (WARM_UP_KEYS.contains(keys.name())) {
                Situation situation = new Situation("warm-up", keys, Arrival.SATURATED, PUBLISHED);
                for (Pool pool : List.of(Pool.OFF, Pool.of(1, 100))) {
                    new UploadRun(situation, pool).figures(Duration.ZERO, Duration.ofMillis(500));
                }
            }
        }
    }

    List<Situation> situations() throws GeneralSecurityException {
        List<MeasuredWrapping> all = MeasuredWrapping.all();
        Stream<Situation> arrivals = all.stream()
                .filter(keys -> !quick || QUICK_KEYS.contains(keys.name()))
                .flatMap(keys ->
                        Stream.of(Arrival.values()).map(arrival -> new Situation("E1a/b", keys, arrival, PUBLISHED)));
        Stream<Situation> sweepsAndMixes = all.stream()
                .filter(keys -> SWEEP_KEYS.contains(keys.name()))
                .flatMap(keys -> Stream.of(
                        new Situation("E1c", keys, Arrival.CLOSED, PUBLISHED),
                        new Situation("E1d", keys, Arrival.CLOSED, new FileMix(100)),
                        new Situation("E1d", keys, Arrival.CLOSED, new FileMix(0))));
        return Stream.concat(arrivals, sweepsAndMixes).toList();
    }

    /** Has the pools take turns, so that a busy moment of the machine hits all of them; returns the medians. */
    private Map<Pool, Result> medians(Situation situation) throws InterruptedException, ExecutionException {
        // less and a pool is still learning while it is measured: a key may take a millisecond
        Duration warmup = Duration.ofMillis(quick ? 300 : 500);
        Duration measured = Duration.ofMillis(quick ? 400 : 1_000);
        Map<Pool, List<Result>> runs = new LinkedHashMap<>();
        for (int i = 0; i < RUNS; i++) {
            for (Pool pool : situation.experiment().equals("E1c") ? sweep() : Pool.PUBLISHED) {
                runs.computeIfAbsent(pool, first -> new ArrayList<>())
                        .add(new UploadRun(situation, pool).figures(warmup, measured));
            }
        }
        Map<Pool, Result> medians = new LinkedHashMap<>();
        runs.forEach((pool, figures) -> medians.put(pool, UploadRun.median(figures)));
        return medians;
    }

    /** Returns the settings among which the best manual one is found. */
    List<Pool> sweep() {
        List<Pool> pools = new ArrayList<>(List.of(Pool.OFF, Pool.AUTO));
        for (int threads : quick ? List.of(1, 4, 32) : List.of(1, 2, 4, 8, 16, 32)) {
            for (int capacity : quick ? List.of(100, 2000) : List.of(10, 100, 1000, 2000, 10000)) {
                pools.add(Pool.of(threads, capacity));
            }
        }
        return pools;
    }
}
