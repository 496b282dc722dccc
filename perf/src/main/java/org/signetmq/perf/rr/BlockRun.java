/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Puts one block on the broker. */
final class BlockRun {
    private static final double MEDIAN = 50;
    private static final double NEARLY_ALL = 99;
    private static final long PATIENCE_SECONDS = 60;

    private final Site site;
    private final Block block;
    private final CpuClock clock;
    private final Watch watch = new Watch();
    private final ExecutorService asking = Executors.newCachedThreadPool();
    private final ExecutorService answering = Executors.newCachedThreadPool();
    private final List<Requester> requesters = new ArrayList<>();

    BlockRun(Site site, Block block) {
        this.site = site;
        this.block = block;
        this.clock = new CpuClock(site.brokerPid());
    }

    BlockResult execute() throws IOException, JMSException, InterruptedException {
        try (Connections answers = new Connections(site, block.variant())) {
            return execute(answers);
        } finally {
            end(asking);
            end(answering);
        }
    }

    private BlockResult execute(Connections connections) throws JMSException, InterruptedException {
        Exchange exchange = new Exchange(block);
        for (int i = 0; i < block.load().responders(); i++) {
            start(new Responder(connections.connect(), exchange, i), answering);
        }
        for (int i = 0; i < block.load().clients(); i++) {
            Requester requester = new Requester(connections.connect(), exchange, i);
            requesters.add(requester);
            start(requester, asking);
        }
        CpuClock.Reading begin = begin(Watch.Stage.COLD);
        watch.pass(block.times().coldMillis());
        CpuClock.Reading middle = begin(Watch.Stage.WARM);
        watch.pass(block.times().warmMillis());
        CpuClock.Reading end = begin(Watch.Stage.OVER);
        end(asking);
        watch.check();
        List<Latencies> latencies =
                requesters.stream().map(Requester::latencies).toList();
        return new BlockResult(
                phase(begin, middle, Latencies.cold(latencies)), phase(middle, end, Latencies.warm(latencies)), null);
    }

    private CpuClock.Reading begin(Watch.Stage stage) {
        CpuClock.Reading now = clock.read();
        watch.begin(stage);
        return now;
    }

    private static Phase phase(CpuClock.Reading begin, CpuClock.Reading end, Histogram latencies) {
        return new Phase(
                latencies.getTotalCount(),
                end.nanos() - begin.nanos(),
                new Phase.Latency(latencies.getValueAtPercentile(MEDIAN), latencies.getValueAtPercentile(NEARLY_ALL)),
                end.since(begin));
    }

    private void start(Participant participant, ExecutorService threads) {
        threads.execute(() -> {
            try {
                participant.participate(watch);
            } catch (JMSException | RuntimeException | InterruptedException e) {
                watch.fail(e);
            }
        });
    }

    private static void end(ExecutorService threads) throws InterruptedException {
        threads.shutdown();
        if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("threads: do not end within " + PATIENCE_SECONDS + " s");
        }
    }
}
