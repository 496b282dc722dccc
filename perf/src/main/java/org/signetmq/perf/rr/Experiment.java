/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.primitive.PrimitiveCost;
import org.signetmq.perf.result.Machine;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;

/** Carries out plans, and saves each block at once. For one thread. */
public final class Experiment {
    private static final String BLOCKS = "blocks";
    private static final String PRIMITIVES = "primitives";

    private final RunOptions options;
    private final PairPool.Site site;
    private final Parts parts;
    private final Blocks blocks;
    private final List<Result> primitives;
    private final List<Result> earlierRows = new ArrayList<>();
    private final JsonNode earlier;
    private final Map<String, List<Result>> kept = new LinkedHashMap<>();

    /**
     * Checks the outputs, and reads what an earlier run has measured if the options say so.
     *
     * @throws picocli.CommandLine.ParameterException if an option cannot be followed
     */
    public Experiment(RunOptions options, PairPool.Site site, Parts parts) throws Exception {
        this.options = options;
        this.site = site;
        this.parts = parts;
        options.outputs().check();
        this.earlier = options.isResumed()
                ? options.outputs().earlier().orElse(MissingNode.getInstance())
                : MissingNode.getInstance();
        this.blocks = Blocks.of(earlier);
        this.primitives = new ArrayList<>(Result.list(earlier.path(PRIMITIVES)));
        if (options.recordings() != null) {
            Files.createDirectories(options.recordings());
        }
        Machine.warnIfBusy();
    }

    /** Tells the user how long several plans take together. Each one tells its own time when it begins. */
    public void announce(List<Plan> plans) {
        announceParts(plans.stream().map(Plan::seconds).toList());
    }

    /** Tells the user how long several parts take together, each with its seconds. */
    public void announceParts(List<Double> seconds) {
        if (seconds.size() > 1) {
            double all = seconds.stream().mapToDouble(Double::doubleValue).sum();
            System.err.println(seconds.size() + " parts, " + time(all) + " in all");
        }
    }

    /** Returns about how long something takes, rounded up to minutes. */
    public static String time(double seconds) {
        return "about " + (long) Math.ceil(seconds / 60) + " min";
    }

    /** Returns the rows of a list beside the results: those of the run that is resumed, and those kept since. */
    public List<Result> kept(String list) {
        return List.copyOf(keptFor(list));
    }

    /** Keeps a row in a list beside the results, and saves it at once. */
    public void keep(String list, Result row) {
        keptFor(list).add(row);
        options.outputs().save(earlierRows, raw());
    }

    private List<Result> keptFor(String list) {
        return kept.computeIfAbsent(list, name -> new ArrayList<>(Result.list(earlier.path(name))));
    }

    /** Measures a plan, and returns its rows behind those of earlier plans. */
    public List<Result> run(Plan plan) throws InterruptedException {
        return run(plan, site);
    }

    /** Measures a plan on a site of its own, and returns its rows behind those of earlier plans. */
    public List<Result> run(Plan plan, PairPool.Site site) throws InterruptedException {
        parts.run("primitives", () -> measurePrimitives(plan));
        try (PairPool pairs = new PairPool(site.withRecordings(options.recordings()))) {
            Progress progress = new Progress(plan);
            System.err.println(time(plan.seconds()));
            new Measurement(plan, pairs, progress, parts).run();
        } catch (IOException e) {
            parts.fail("pairs", Parts.reason(e));
        }
        earlierRows.addAll(rows(plan));
        return List.copyOf(earlierRows);
    }

    private void measurePrimitives(Plan plan) throws Exception {
        List<KeyKind> keys = plan.settings().stream()
                .filter(setting -> setting.protection().isSignet())
                .map(Setting::key)
                .distinct()
                .toList();
        for (int size : plan.loads().stream()
                .filter(load -> load.style().uploads() == null) // no payload is like all files
                .mapToInt(Load::size)
                .distinct()
                .toArray()) {
            List<KeyKind> missing = keys.stream()
                    .filter(key ->
                            primitives.stream().noneMatch(row -> row.is("size", size) && row.is("key", key.label())))
                    .toList();
            if (!missing.isEmpty()) {
                primitives.addAll(PrimitiveCost.measure(size, missing));
            }
        }
    }

    private List<Result> rows(Plan plan) {
        return Row.all(plan, blocks.list(), new PrimitiveCost(primitives));
    }

    /** Returns what stands in the file beside the rows. */
    public Map<String, List<Result>> raw() {
        Map<String, List<Result>> raw = new LinkedHashMap<>(kept);
        raw.put(BLOCKS, blocks.list());
        raw.put(PRIMITIVES, primitives);
        return raw;
    }

    private final class Progress implements Measurement.Store {
        private final Plan plan;
        private final long begin = System.nanoTime();

        Progress(Plan plan) {
            this.plan = plan;
        }

        @Override
        public Blocks blocks() {
            return blocks;
        }

        @Override
        public double elapsed() {
            return (System.nanoTime() - begin) / 1e9;
        }

        @Override
        public void step(String progress) {
            Duration passed = Duration.ofNanos(System.nanoTime() - begin);
            System.err.printf("%3d:%02d  %s%n", passed.toMinutes(), passed.toSecondsPart(), progress);
            List<Result> rows = new ArrayList<>(earlierRows);
            rows.addAll(rows(plan));
            options.outputs().save(rows, raw());
        }
    }
}
