/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.sun.management.OperatingSystemMXBean;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.HdrHistogram.Histogram;
import org.signetmq.perf.result.Result;

/** Puts blocks on the broker. */
record BlockRun(BrokerProcess broker, Homes homes) {
    private static final OperatingSystemMXBean SELF = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    Block.Measured run(Block block) throws IOException, JMSException, InterruptedException {
        Watch watch = new Watch();
        Exchange exchange = new Exchange(block, watch);
        try (Connections connections = new Connections(broker.port(), homes, block.variant())) {
            for (int i = 0; i < block.load().responders(); i++) {
                watch.start(exchange.responder(connections.connect(), i));
            }
            for (int i = 0; i < block.load().clients(); i++) {
                watch.start(exchange.requester(connections.connect(), i));
            }
            Reading begin = read();
            watch.pass(block.coldMillis());
            Reading middle = read();
            Histogram cold = watch.takeLatencies();
            watch.pass(block.warmMillis());
            Reading end = read();
            Histogram warm = watch.takeLatencies();
            watch.end(block.load().clients());
            return new Block.Measured(
                    cold.getTotalCount() + warm.getTotalCount(),
                    figures(begin, middle, cold),
                    figures(middle, end, warm));
        } finally {
            watch.close();
        }
    }

    /** A moment, and the processor time of both processes until then. */
    private record Reading(long nanos, long brokerNanos, long clientNanos) {}

    private Reading read() {
        return new Reading(System.nanoTime(), broker.cpuTime().toNanos(), SELF.getProcessCpuTime());
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
