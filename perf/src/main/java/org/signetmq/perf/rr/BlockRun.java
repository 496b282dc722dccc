/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.sun.management.OperatingSystemMXBean;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.signetmq.perf.result.Result;

/** Puts blocks on the broker. */
final class BlockRun {
    private static final long PATIENCE_SECONDS = 60;

    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final BrokerProcess broker;
    private final Homes homes;

    BlockRun(BrokerProcess broker, Homes homes) {
        this.broker = broker;
        this.homes = homes;
    }

    Block.Measured run(Block block) throws IOException, JMSException, InterruptedException {
        Exchange exchange = new Exchange(block);
        Watch watch = new Watch();
        ExecutorService asking = Executors.newCachedThreadPool();
        ExecutorService answering = Executors.newCachedThreadPool();
        try (Connections connections = new Connections(broker.port(), homes, block.variant())) {
            for (int i = 0; i < block.load().responders(); i++) {
                start(exchange.responder(connections.connect(), i), watch, answering);
            }
            for (int i = 0; i < block.load().clients(); i++) {
                start(exchange.requester(connections.connect(), i), watch, asking);
            }
            Reading begin = read();
            watch.pass(block.coldMillis());
            Reading middle = read();
            Histogram cold = watch.takeLatencies();
            watch.pass(block.warmMillis());
            Reading end = read();
            Histogram warm = watch.takeLatencies();
            watch.end();
            end(asking);
            watch.check();
            return new Block.Measured(
                    cold.getTotalCount() + warm.getTotalCount(),
                    figures(begin, middle, cold),
                    figures(middle, end, warm));
        } finally {
            watch.end();
            end(asking);
            end(answering);
        }
    }

    private static void start(Exchange.Participant participant, Watch watch, ExecutorService threads) {
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

    /** A moment, and the processor time of both processes until then. */
    private record Reading(long nanos, long brokerNanos, long clientNanos) {}

    private Reading read() {
        return new Reading(System.nanoTime(), broker.cpuTime().toNanos(), self.getProcessCpuTime());
    }

    private static Result figures(Reading begin, Reading end, Histogram latencies) {
        double roundTrips = latencies.getTotalCount();
        if (roundTrips == 0) {
            throw new IllegalStateException("block: no round trip completed");
        }
        return Result.EMPTY
                .with(Row.RATE, roundTrips * 1e9 / (end.nanos - begin.nanos))
                .with("p50_us", (double) latencies.getValueAtPercentile(50))
                .with("p99_us", (double) latencies.getValueAtPercentile(99))
                .with(Row.BROKER_CPU, (end.brokerNanos - begin.brokerNanos) / 1e6 / roundTrips)
                .with(Row.CLIENT_CPU, (end.clientNanos - begin.clientNanos) / 1e6 / roundTrips);
    }
}
