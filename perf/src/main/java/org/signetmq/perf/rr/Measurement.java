/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Blocks.Name;
import org.signetmq.perf.rr.Blocks.Place;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/**
 * Measures all blocks of a plan that are not measured yet. A setting that fails is left out from then on, and the
 * others go on. For one thread.
 */
final class Measurement {
    /** The time in which all clients of a block begin to work, before it counts. */
    private static final double RAMP_SECONDS = 0.3;

    private static final double WARM_UP_STEP_SECONDS = 2;
    /** Steps with calm compilers that end a warm-up: code that they drop and compile again comes a little later. */
    private static final int CALM_STEPS = 2;

    /** The work of a pair under a load before it changes to another one. */
    private static final double REHEARSAL_SECONDS = 0.6;

    private static final double SETTLING_STEP_SECONDS = 1;

    /** The share of a step below which a rest of time is not used: it would not show whether compilers are calm. */
    private static final double SHORTEST_STEP = 0.25;

    /** Milliseconds a second: what is left to compile then is hardly ever run. */
    private static final double CALM_COMPILING = 40;

    private final Plan plan;
    private final Pairs pairs;
    private final Store store;
    private final Parts parts;
    private final Set<Setting> failed = new LinkedHashSet<>();
    private boolean isWarm;

    /** The pairs of all settings. */
    interface Pairs {
        /** Connects the clients of a load to the pair of a setting, which is started if it does not run. */
        void connect(Setting setting, Load load) throws Exception;

        /** Runs a block on the pair of a setting. */
        Result block(Setting setting, Stretch stretch) throws Exception;
    }

    /**
     * The work of a block.
     *
     * @param rate round trips a second; 0 for requests that follow replies at once
     * @param ramp the seconds of work before it counts
     * @param seconds that count
     */
    record Stretch(double rate, double ramp, double seconds) {}

    /** Keeps blocks as they come. */
    interface Store {
        /** Returns all blocks so far. */
        Blocks blocks();

        /** Returns the seconds since the plan began. */
        double elapsed();

        /** Tells the user of a step; blocks are saved. */
        void step(String progress);
    }

    Measurement(Plan plan, Pairs pairs, Store store, Parts parts) {
        this.plan = plan;
        this.pairs = pairs;
        this.store = store;
        this.parts = parts;
    }

    /** Measures load after load. */
    void run() throws InterruptedException {
        for (Load load : plan.loads()) {
            if (!isComplete(load)) {
                warmUp();
                forEach(plan.settings(), setting -> {
                    pairs.connect(setting, load);
                    settle(setting);
                });
                for (int round = 0; round < plan.timing().rounds(); round++) {
                    round(load, round);
                }
            }
        }
    }

    private interface Step {
        void on(Setting setting) throws Exception;
    }

    /** Takes a step for each setting that has not failed. Without a baseline nothing can be compared. */
    private void forEach(List<Setting> settings, Step step) throws InterruptedException {
        for (Setting setting : settings) {
            if (!failed.contains(setting) && !failed.contains(plan.baseline())) {
                int before = parts.failures().size();
                parts.run(setting.label(), () -> step.on(setting));
                if (parts.failures().size() > before) {
                    failed.add(setting);
                }
            }
        }
    }

    private boolean isComplete(Load load) {
        return IntStream.range(0, plan.timing().rounds())
                .allMatch(round -> names(load, round).stream()
                        .allMatch(name -> store.blocks().find(name).isPresent()));
    }

    /**
     * Has Java compile the code of all pairs, under the loads that do so in the least time. Before, each pair changes
     * its load a few times. Java would drop much compiled code at the first change that it sees.
     */
    private void warmUp() throws InterruptedException {
        double seconds = plan.timing().warmUpSeconds();
        if (isWarm || seconds == 0) {
            return;
        }
        forEach(plan.settings(), setting -> {
            double end = store.elapsed() + plan.pairSeconds();
            for (Load load : plan.rehearsedLoads()) {
                pairs.connect(setting, load);
                warmUp(setting, new Span(Math.min(seconds, REHEARSAL_SECONDS), REHEARSAL_SECONDS, 1));
            }
            for (Plan.WarmUp warmUp : plan.warmUps()) {
                pairs.connect(setting, warmUp.load());
                double left = Math.max(WARM_UP_STEP_SECONDS, end - later(warmUp) - store.elapsed());
                warmUp(setting, new Span(Math.min(warmUp.seconds(), left), WARM_UP_STEP_SECONDS, CALM_STEPS));
            }
        });
        isWarm = true;
    }

    /** Returns the seconds of the warm-ups behind this one. */
    private double later(Plan.WarmUp warmUp) {
        List<Plan.WarmUp> all = plan.warmUps();
        return all.subList(all.indexOf(warmUp) + 1, all.size()).stream()
                .mapToDouble(Plan.WarmUp::seconds)
                .sum();
    }

    /** Has Java compile again what another number of clients makes it drop. */
    private void settle(Setting setting) throws Exception {
        double seconds = plan.timing().settlingSeconds();
        if (seconds > 0) {
            warmUp(setting, new Span(seconds, SETTLING_STEP_SECONDS, 1));
        }
    }

    /**
     * How long a pair works before it counts.
     *
     * @param seconds the most
     * @param step the seconds of a step
     * @param calmSteps steps with calm compilers, one after the other, that end it
     */
    private record Span(double seconds, double step, int calmSteps) {}

    /** Works until the compilers of both processes are almost idle, or the time is over. */
    private void warmUp(Setting setting, Span span) throws Exception {
        double begun = store.elapsed();
        double done = 0;
        int calm = 0;
        do {
            double step = Math.min(span.seconds - done, span.step);
            Result figures = pairs.block(setting, new Stretch(Blocks.CLOSED, RAMP_SECONDS, step));
            done = Math.max(done + step, store.elapsed() - begun);
            double compiling = figures.number(Block.BROKER_JIT) + figures.number(Block.CLIENT_JIT);
            calm = compiling > CALM_COMPILING ? 0 : calm + 1;
            store.step(String.format(
                    Locale.ROOT,
                    "warming up  %-30s %8.0f round trips/s, compilers at work %.0f %%",
                    setting.label(),
                    figures.number(Block.RATE),
                    compiling / 10));
        } while (calm < span.calmSteps && span.seconds - done > span.step * SHORTEST_STEP);
    }

    private List<Name> names(Load load, int round) {
        List<Name> names = new ArrayList<>();
        for (Setting setting : plan.order(round)) {
            names.add(new Name(plan.part(), setting, load, new Place(round, names.size(), Blocks.CLOSED)));
        }
        for (double pace : plan.timing().hasPaces(round) ? plan.timing().paces() : List.<Double>of()) {
            for (Setting setting : plan.settings()) {
                names.add(new Name(plan.part(), setting, load, new Place(round, names.size(), pace)));
            }
        }
        return names;
    }

    private void round(Load load, int round) throws InterruptedException {
        for (Name name : names(load, round)) {
            if (store.blocks().find(name).isEmpty()) {
                forEach(List.of(name.setting()), setting -> measure(name));
            }
        }
    }

    private void measure(Name name) throws Exception {
        boolean isClosed = name.place().pace() == Blocks.CLOSED;
        double rate = isClosed
                ? 0
                : name.place().pace() * baselineRate(name.load(), name.place().round());
        double seconds = isClosed ? plan.timing().seconds() : plan.timing().paceSeconds();
        Result figures =
                pairs.block(name.setting(), new Stretch(rate, plan.timing().rampSeconds(), seconds));
        store.blocks().add(name, figures);
        store.step(String.format(
                Locale.ROOT,
                "%d/%d  %d clients  %-30s %8.0f round trips/s%s",
                name.place().round() + 1,
                plan.timing().rounds(),
                name.load().clients(),
                name.setting().label(),
                figures.number(Block.RATE),
                isClosed
                        ? ""
                        : String.format(Locale.ROOT, " of %.0f wanted, p99 %.0f us", rate, figures.number("p99_us"))));
    }

    /** Returns the rate of the baseline in a round, whose blocks of this kind are all measured. */
    private double baselineRate(Load load, int round) {
        return names(load, round).stream()
                .filter(name ->
                        name.setting().equals(plan.baseline()) && name.place().pace() == Blocks.CLOSED)
                .flatMap(name -> store.blocks().find(name).stream())
                .mapToDouble(block -> block.number(Block.RATE))
                .average()
                .orElseThrow();
    }
}
