/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.perf.pair.Pair.Brokers;
import org.signetmq.perf.pair.Pair.Disk;
import org.signetmq.perf.pair.Pair.Place;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.process.Runner.Contender;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;
import org.signetmq.policy.QualityOfProtection;

/**
 * A part of an experiment: settings that take turns under loads. Each setting has a pair of its own.
 *
 * @param name tells parts of one experiment apart; empty if there is only one
 * @param settings the first one is the baseline that the others are compared with
 */
public record Part(String name, List<Setting> settings, List<Load> loads, Timing timing, Brokers brokers) {
    private static final double WARM_UP_STEP_SECONDS = 2;
    /** Milliseconds of compilation a second: what is left to compile then is hardly ever run. */
    private static final double CALM_COMPILING = 40;

    private static final long LONGEST_REST_MILLIS = 3_000;
    /** Caches of a pair that did nothing for half a minute are cold. */
    private static final long RAMP_MILLIS = 1_000;

    private static final double STARTING_SECONDS = 5;

    /**
     * The times of blocks.
     *
     * @param warmUpSeconds the most work of each pair before anything counts; a fifth of it before each load
     * @param seconds that a block is measured
     * @param rounds blocks of each setting and load
     */
    public record Timing(double warmUpSeconds, double seconds, int rounds) {}

    /** Makes a part with one broker a pair. */
    public Part(String name, List<Setting> settings, List<Load> loads, Timing timing) {
        this(name, settings, loads, timing, Brokers.ONE);
    }

    /** Returns about how long the part takes, in seconds. */
    public double seconds() {
        double ramp = RAMP_MILLIS / 1e3;
        double blocks = timing.rounds * (1.5 * settings.size() + 1) * (timing.seconds + ramp);
        return settings.size() * (STARTING_SECONDS + timing.warmUpSeconds)
                + loads.size() * (blocks + settings.size() * (2 + timing.warmUpSeconds / 10));
    }

    /**
     * Measures all settings under all loads.
     *
     * @param disks those that settings name
     */
    public void measure(Runner runner, Map<String, Disk> disks) throws IOException, InterruptedException {
        runner.say((name.isEmpty() ? "" : name + ", ") + "about " + (long) Math.ceil(seconds() / 60) + " min");
        try (Pairs pairs = new Pairs(brokers, disks)) {
            for (Setting setting : settings) {
                runner.part(setting.label(), () -> warmUp(runner, pairs, setting));
            }
            for (Load load : loads) {
                Row names = Row.of("part", name)
                        .with("clients", load.clients())
                        .with("queues", load.queues())
                        .with("size", load.size())
                        .with("load", load.label());
                List<Row> rows = runner.turns(
                        names,
                        settings.stream()
                                .map(setting -> turns(runner, pairs, setting, load))
                                .toList(),
                        timing.rounds);
                double none = rows.isEmpty() ? Double.NaN : rows.get(0).number(Pair.CPU);
                for (Row row : rows) {
                    runner.add(row.with("limit", limit(row, load, none)));
                }
            }
        }
    }

    /** Returns the share that the bare primitives alone would leave, when the processor is the bottleneck. */
    private double limit(Row row, Load load, double none) {
        Setting setting = settings.stream()
                .filter(one -> one.label().equals(row.text(Runner.SETTING)))
                .findFirst()
                .orElseThrow();
        if (!setting.protection().isSignet() || setting.protection().sharesSignatures() || load.uploads()) {
            return Double.NaN; // the load decides how many messages share a signature
        }
        QualityOfProtection quality = setting.protection().quality().orElseThrow();
        return none / (none + 2 * Primitives.millisOfMessage(quality, setting.key(), load.size()));
    }

    /** Warms up under the loads with the most clients: of messages in memory, and of large ones. */
    private void warmUp(Runner runner, Pairs pairs, Setting setting) throws Exception {
        Comparator<Load> byClients = Comparator.comparingInt(Load::clients);
        List<Load> warming = Stream.of(false, true)
                .flatMap(large -> loads.stream().filter(load -> load.large() == large).max(byClients).stream())
                .toList();
        for (Load load : warming) {
            pairs.connect(setting, load);
            warmUp(runner, pairs, setting, timing.warmUpSeconds / warming.size());
        }
    }

    /**
     * Works until the compilers of both processes are almost idle, or the time is over. In between the clients rest:
     * when they keep all processors busy, the compilers get a small part of these, and lag behind for minutes.
     */
    private static void warmUp(Runner runner, Pairs pairs, Setting setting, double seconds) throws Exception {
        double compiling = Double.MAX_VALUE;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (compiling > CALM_COMPILING && System.nanoTime() < end) {
            double step = Math.min(seconds, WARM_UP_STEP_SECONDS);
            Row figures = pairs.of(setting).block(0, (long) (step * 1_000));
            compiling = figures.number(Pick.COMPILING);
            runner.say(String.format(
                    "warming up  %-30s %9.1f/s, compilers at work %.0f %%",
                    setting.label(), figures.number(Pair.RATE), compiling / 10));
            Thread.sleep((long) Math.min(LONGEST_REST_MILLIS, compiling * step));
        }
    }

    private Contender turns(Runner runner, Pairs pairs, Setting setting, Load load) {
        return new Contender() {
            @Override
            public String name() {
                return setting.label();
            }

            @Override
            public void prepare() throws Exception {
                pairs.connect(setting, load);
                warmUp(runner, pairs, setting, timing.warmUpSeconds / 5);
            }

            @Override
            public Row block() throws Exception {
                try {
                    return pairs.of(setting).block(RAMP_MILLIS, (long) (timing.seconds * 1_000));
                } catch (IOException e) {
                    pairs.fail(setting);
                    throw e;
                }
            }
        };
    }

    /** A pair for each setting, started when it is first needed. All end with this object, or with a signal. */
    private static final class Pairs implements AutoCloseable {
        private final Brokers brokers;
        private final Map<String, Disk> disks;
        private final Path folder = Files.createTempDirectory("signet-perf-"); // mode 0700
        private final Map<Setting, Pair> pairs = new HashMap<>();
        private final Set<Setting> failed = new HashSet<>();
        private final Thread atExit = new Thread(this::end, "signet-perf-end");

        Pairs(Brokers brokers, Map<String, Disk> disks) throws IOException {
            this.brokers = brokers;
            this.disks = disks;
            Runtime.getRuntime().addShutdownHook(atExit);
        }

        synchronized Pair of(Setting setting) throws IOException {
            if (failed.contains(setting)) {
                throw new IOException("its processes failed before");
            }
            Pair pair = pairs.get(setting);
            if (pair == null) {
                Path own = folder.resolve(Integer.toString(pairs.size()));
                failed.add(setting);
                pair = Pair.start(setting, new Place(own, disks.get(setting.disk()), brokers));
                failed.remove(setting);
                pairs.put(setting, pair);
            }
            return pair;
        }

        void connect(Setting setting, Load load) throws IOException {
            try {
                of(setting).connect(load);
            } catch (IOException e) {
                fail(setting);
                throw e;
            }
        }

        /** Ends a pair that failed: its processes must not disturb the others. */
        synchronized void fail(Setting setting) {
            failed.add(setting);
            Pair pair = pairs.get(setting);
            if (pair != null) {
                end(pair);
            }
        }

        private static void end(Pair pair) {
            try {
                pair.close();
            } catch (IOException e) {
                System.err.println("signet: error: " + e.getMessage());
            }
        }

        private synchronized void end() {
            new ArrayList<>(pairs.values()).forEach(Pairs::end);
            FileUtil.deleteDirectory(folder.toFile());
        }

        @Override
        public void close() {
            end();
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException itRuns) {
                // a signal has ended us
            }
        }
    }
}
