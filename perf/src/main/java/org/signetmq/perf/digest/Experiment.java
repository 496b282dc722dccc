/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
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

    /** The ways that take turns under a name, and the list of rows that they belong to. */
    private record Group(String name, List<Measurement> ways, List<Result> rows) {}

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
        groups.add(new Group(name, measurements, rows));
        return this;
    }

    /** Runs everything this often, after a run in which Java compiles, and fills the lists of rows. */
    void run(int runs) throws IOException, InterruptedException {
        for (int run = 0; run <= runs; run++) {
            for (int i = 0; i < groups.size(); i++) {
                String name = run == 0 ? "warm-up" : "run " + run + "/" + runs;
                say("[%s, %d/%d] %s".formatted(name, i + 1, groups.size(), groups.get(i).name));
                for (Measurement way : groups.get(i).ways) {
                    if (run == 0) {
                        way.warmUp();
                    } else {
                        way.run();
                    }
                }
            }
        }
        groups.forEach(group -> group.ways.forEach(way -> group.rows.add(way.result())));
    }

    private void say(String line) {
        if (System.nanoTime() - lastLine > NANOS_BETWEEN_LINES) {
            progress.accept(line);
            lastLine = System.nanoTime();
        }
    }
}
