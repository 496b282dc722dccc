/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.nullpm.NullStorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.gate.MessageGate;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.policy.Policy;

/**
 * Measures the cost of the last gate for each message: the post office's calls of its storage, through the gate and
 * without it. No test: run {@code main}. It prints nanoseconds a message, the median of many rounds.
 */
final class LastGateCost {
    private static final int ROUNDS = 41;
    private static final int MESSAGES = 1_000_000;

    private LastGateCost() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("signet-gate");
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(1, Policy.privacy("orders.#", List.of(TestHomes.CONSUMER)));
        try (TestBroker broker = setup.start()) {
            MessageRecords records = new MessageRecords(new Counters(), new AuditLog(Clock.systemUTC()));
            ConfigurationWatcher watch = new ConfigurationWatcher(
                    java.util.Map.of(
                            "home",
                            setup.homes().broker.root().toString(),
                            "password-file",
                            setup.homes().passwordFile.toString()),
                    CryptoService::new,
                    broker.server().getConfiguration(),
                    new AuditLog(Clock.systemUTC()));
            watch.start();
            MessageGate gate = new MessageGate(
                    broker.server(), watch::readiness, records, new Rejections(records, Clock.systemUTC()));
            StorageManager real = new NullStorageManager();
            StorageManager gated =
                    new StorageGate(real, StorageMethods.of(StorageManager.class), gate.lastGate()).gated();
            Message judged = message("orders.eu");
            MessageSealer.markApproved(judged, "orders.eu");
            Message open = message("open");
            RouteContextList queues = oneQueue(broker.server());
            double[][] nanos = new double[4][ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                nanos[0][round] = measure(real, judged, queues);
                nanos[1][round] = measure(gated, judged, queues);
                nanos[2][round] = measure(real, open, queues);
                nanos[3][round] = measure(gated, open, queues);
            }
            System.out.printf(
                    "with a policy: %.0f ns without the gate, %.0f with it%nwithout a policy: %.0f ns without the gate, %.0f with it%n",
                    median(nanos[0]), median(nanos[1]), median(nanos[2]), median(nanos[3]));
            watch.close();
        }
    }

    private static Message message(String address) {
        return new CoreMessage(1, 512).setAddress(SimpleString.of(address)).setDurable(true);
    }

    private static RouteContextList oneQueue(ActiveMQServer server) throws Exception {
        SimpleString name = SimpleString.of("orders.eu");
        Queue queue = server.createQueue(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
        RoutingContext context = new RoutingContextImpl(null);
        context.addQueue(name, queue);
        return context.getContextListing(name);
    }

    /** The calls of {@code PostOfficeImpl.processRoute} for a durable message to one queue. */
    private static double measure(StorageManager storage, Message message, RouteContextList queues) throws Exception {
        IOCallback nothing = new IOCallback() {
            @Override
            public void done() {
                // measured is the way here
            }

            @Override
            public void onError(int errorCode, String errorMessage) {
                // measured is the way here
            }
        };
        long start = System.nanoTime();
        for (int i = 0; i < MESSAGES; i++) {
            storage.addToPage(null, message, null, queues);
            storage.storeMessage(message);
            storage.storeReference(1, i, true);
            storage.afterCompleteOperations(nothing);
        }
        return (System.nanoTime() - start) / (double) MESSAGES;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
