/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.sun.management.OperatingSystemMXBean;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;

/** Puts blocks on the broker. */
record BlockRun(BrokerProcess broker, Homes homes) {
    private static final OperatingSystemMXBean SELF = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /**
     * Without protection the plain Artemis client connects. Else one Signet factory with empty caches opens for all.
     */
    Block.Measured run(Block block) throws IOException, InterruptedException {
        KeyKind key = block.variant().key();
        try (ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port())) {
            if (!block.variant().protects()) {
                return run(block, new Connections(artemis, Homes.sender(key), homes.userPassword()));
            }
            try (Password password = Password.fromFile(homes.passwordFile());
                    SignetConnectionFactory signet = SignetConnectionFactory.open(
                            artemis, homes.clients().root(), Homes.recipient(key), password)) {
                return run(block, new Connections(signet, Homes.sender(key), homes.userPassword()));
            }
        }
    }

    private Block.Measured run(Block block, Connections ofBlock) throws InterruptedException {
        Watch watch = new Watch();
        Exchange exchange = new Exchange(block, watch);
        try (Connections connections = ofBlock) {
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

    /** The connections of one block, each a socket of its own. */
    record Connections(ConnectionFactory factory, String user, String password, List<JMSContext> open)
            implements AutoCloseable {
        Connections(ConnectionFactory factory, String user, String password) {
            this(factory, user, password, new ArrayList<>());
        }

        JMSContext connect() {
            open.add(factory.createContext(user, password));
            return open.get(open.size() - 1);
        }

        /** Closes all; receivers that wait get no more messages, and end. It throws the first failure at the end. */
        @Override
        public void close() {
            RuntimeException first = null;
            for (JMSContext context : open) {
                try {
                    context.close();
                } catch (RuntimeException e) {
                    if (first == null) {
                        first = e;
                    } else {
                        first.addSuppressed(e);
                    }
                }
            }
            if (first != null) {
                throw first;
            }
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
