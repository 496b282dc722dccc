/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.signetmq.perf.digest.Measurement.Contender;
import org.signetmq.perf.digest.Setting.Pace;
import org.signetmq.perf.digest.Work.Kind;
import org.signetmq.perf.result.Result;

/** E9 and E9b: the ways take turns in each setting, so that a busy moment of the machine hits all of them. */
final class Experiment {
    /** The published lengths of blocks: two of them are multiples of a page, and one is not. */
    static final List<Integer> BLOCKS = List.of(4096, 8192, 10_000, 1 << 20);

    private static final long NANOS_BETWEEN_LINES = 2_000_000_000;

    private final DataFiles data;
    private final SignetWays signet;
    private final Consumer<String> progress;
    private final List<Group> groups = new ArrayList<>();
    private long lastLine = System.nanoTime();

    /** The ways that are compared in one setting, and the list of rows that they belong to. */
    private record Group(String name, Pace pace, List<Measurement> ways, List<Result> rows) {
        /** Estimates how long a run takes: throttled, each way passes a file three times. */
        Duration planned() {
            return Duration.ofMillis(pace == Pace.THROTTLED ? 1200 : 400).multipliedBy(ways.size());
        }
    }

    Experiment(DataFiles data, SignetWays signet, Consumer<String> progress) {
        this.data = data;
        this.signet = signet;
        this.progress = progress;
    }

    /** Adds the loop, the pipeline and Signet's way in a setting; their rows go into this list. */
    Experiment ways(Setting setting, List<Result> rows) {
        Work work = setting.work().on(setting.block());
        Way loop = Way.loop(setting.block());
        Contender own = setting.work() == Kind.SHA_256
                ? new Contender(name("signet"), signet.unsealed(), signet.unsealed(), work)
                : new Contender(name("signet"), signet.unsealed(), signet.sealed(), Work.NONE);
        Stream<Contender> ways = Stream.of(
                new Contender(name("loop"), loop, loop, work),
                pipeline(setting, PipelineWay.BUFFERS, Handover.Kind.LINKED),
                own);
        return add(setting.toString(), setting, ways, rows);
    }

    /** Adds pipelines with both kinds of queue and these numbers of buffers. */
    Experiment queues(int block, List<Integer> buffers, List<Result> rows) {
        Setting setting = new Setting(Kind.SHA_256, Pace.UNTHROTTLED, block);
        Stream<Contender> pipelines = buffers.stream()
                .flatMap(count -> Stream.of(Handover.Kind.values()).map(kind -> pipeline(setting, count, kind)));
        return add("queues, blocks of " + block, setting, pipelines, rows);
    }

    private static Contender pipeline(Setting setting, int buffers, Handover.Kind queue) {
        Way way = new PipelineWay(setting.block(), buffers, queue);
        Result names = name("pipeline").with("queue", queue.toString()).with("buffers", buffers);
        return new Contender(names, way, way, setting.work().on(setting.block()));
    }

    private static Result name(String way) {
        return Result.EMPTY.with("way", way);
    }

    private Experiment add(String name, Setting setting, Stream<Contender> ways, List<Result> rows) {
        List<Measurement> measurements =
                ways.map(way -> new Measurement(setting, way, data)).toList();
        groups.add(new Group(name, setting.pace(), measurements, rows));
        return this;
    }

    /** Runs everything this often, after a run in which Java compiles, and fills the lists of rows. */
    void run(int runs) throws IOException, InterruptedException {
        for (Group group : groups) {
            if (group.pace == Pace.UNTHROTTLED) { // the others run the same code
                say("warm-up: " + group.name);
                for (Measurement way : group.ways) {
                    way.run();
                    way.forget();
                }
            }
        }
        Duration planned = groups.stream()
                .map(Group::planned)
                .reduce(Duration.ZERO, Duration::plus)
                .multipliedBy(runs);
        Duration done = Duration.ZERO;
        long start = System.nanoTime();
        for (int run = 1; run <= runs; run++) {
            for (Group group : groups) {
                Duration left = left(planned, done, Duration.ofNanos(System.nanoTime() - start));
                say("[run %d/%d] %s, %d:%02d min left"
                        .formatted(run, runs, group.name, left.toMinutes(), left.toSecondsPart()));
                for (Measurement way : group.ways) {
                    way.run();
                }
                done = done.plus(group.planned());
            }
        }
        groups.forEach(group -> group.ways.forEach(way -> group.rows.add(way.result())));
    }

    /** Returns a time as much longer or shorter than planned as the groups took until now. */
    private static Duration left(Duration planned, Duration done, Duration took) {
        Duration left = planned.minus(done);
        return done.isZero() ? left : left.multipliedBy(took.toMillis()).dividedBy(done.toMillis());
    }

    private void say(String line) {
        if (System.nanoTime() - lastLine > NANOS_BETWEEN_LINES) {
            progress.accept(line);
            lastLine = System.nanoTime();
        }
    }
}
