/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import jakarta.jms.Connection;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.nullpm.NullStorageManager;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.gate.MessageGate;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;

/**
 * Measures all calls that the broker makes to the plugin for one durable Core message of a client, in the broker's
 * order: callbacks, routing and storage. No test: run {@code main}. It prints nanoseconds of the processor and bytes
 * allocated for each message, the medians of many rounds.
 */
final class MessagePathCost {
    private static final int BODY = 256;
    private static final int BATCH = 250;
    private static final int WARM_UP = 4_000;
    private static final int ROUNDS = 2_001;
    /** Messages for each data key: enough that making keys takes no notable time. */
    private static final int REUSE = 1_000_000;

    private static final IOCallback NOTHING = new IOCallback() {
        @Override
        public void done() {
            // measured is the way here
        }

        @Override
        public void onError(int errorCode, String errorMessage) {
            // measured is the way here
        }
    };

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final CoreMessageObjectPools pools = new CoreMessageObjectPools();
    private final SignetPlugin plugin;
    private final ServerSession session;
    private final StorageManager real = new NullStorageManager();
    private final StorageManager gated;

    private MessagePathCost(SignetPlugin plugin, ServerSession session, StorageGate.Gate gate) {
        this.plugin = plugin;
        this.session = session;
        this.gated = new StorageGate(real, StorageMethods.of(StorageManager.class), gate).gated();
    }

    public static void main(String[] arguments) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(Files.createTempDirectory("signet-path")).secured();
        KeyLimits limits = new KeyLimits(REUSE, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
        setup.homes().policies(1, Policy.confidentiality("orders.#", List.of(TestHomes.CONSUMER), limits));
        try (TestBroker broker = setup.start();
                ConfigurationWatcher watch = watch(setup, broker);
                ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.uri());
                Connection connection = factory.createConnection("alice", "secret")) {
            var unused = connection.createSession();
            ServerSession session = broker.server().getSessions().stream()
                    .filter(each -> "alice".equals(each.getValidatedUser()))
                    .findAny()
                    .orElseThrow();
            watch.start();
            MessageRecords records = new MessageRecords(new Counters(), new AuditLog(Clock.systemUTC()));
            MessageGate gate = new MessageGate(
                    broker.server(), watch::readiness, records, new Rejections(records, Clock.systemUTC()));
            MessagePathCost cost = new MessagePathCost(broker.plugin, session, gate.lastGate());
            cost.measure("without the plugin", "open.news", cost::sendBare);
            cost.measure("without a policy", "open.news", cost::send);
            cost.measure("confidentiality", "orders.eu", cost::send);
        }
        System.exit(0);
    }

    private static ConfigurationWatcher watch(TestBroker.Setup setup, TestBroker broker) {
        TestHomes homes = setup.homes();
        return new ConfigurationWatcher(
                Map.of("home", homes.broker.root().toString(), "password-file", homes.passwordFile.toString()),
                CryptoService::new,
                broker.server().getConfiguration(),
                new AuditLog(Clock.systemUTC()));
    }

    /** Makes the calls of a broker for one message. */
    @FunctionalInterface
    private interface Path {
        void take(Message message, RoutingContext context) throws Exception;
    }

    private void measure(String name, String address, Path path) throws Exception {
        byte[] encoded = encoded(address);
        double[] nanos = new double[ROUNDS];
        double[] bytes = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            CoreMessage[] batch = batch(encoded);
            RoutingContext context = new RoutingContextImpl(null).setServerSession(session);
            context.setAddress(batch[0].getAddressSimpleString());
            long allocated = threads.getCurrentThreadAllocatedBytes();
            long start = threads.getCurrentThreadCpuTime();
            for (CoreMessage message : batch) {
                path.take(message, context);
            }
            int place = Math.max(round, 0);
            nanos[place] = (threads.getCurrentThreadCpuTime() - start) / (double) BATCH;
            bytes[place] = (threads.getCurrentThreadAllocatedBytes() - allocated) / (double) BATCH;
        }
        System.out.printf("%s: %.0f ns, %.0f bytes%n", name, median(nanos), median(bytes));
    }

    @SuppressWarnings("NullAway") // the broker passes no transaction
    private void send(Message message, RoutingContext context) throws Exception {
        gated.setContext(session.getSessionContext());
        plugin.beforeSend(session, null, message, false, false);
        message.setMessageID(gated.generateID());
        plugin.beforeMessageRoute(message, context, false, false);
        store(gated, message, context);
        plugin.afterSend(session, null, message, false, false, RoutingStatus.OK);
        gated.afterCompleteOperations(NOTHING);
        gated.clearContext();
    }

    private void sendBare(Message message, RoutingContext context) throws Exception {
        real.setContext(session.getSessionContext());
        message.setMessageID(real.generateID());
        store(real, message, context);
        real.afterCompleteOperations(NOTHING);
        real.clearContext();
    }

    @SuppressWarnings("NullAway") // the broker passes no transaction
    private static void store(StorageManager storage, Message message, RoutingContext context) throws Exception {
        RouteContextList queues = context.getContextListing(context.getAddress());
        storage.addToPage(null, message, null, queues);
        storage.storeMessage(message);
        storage.storeReference(1, message.getMessageID(), true);
        storage.afterCompleteOperations(NOTHING);
    }

    private CoreMessage[] batch(byte[] encoded) {
        CoreMessage[] batch = new CoreMessage[BATCH];
        for (int i = 0; i < BATCH; i++) {
            ByteBuf buffer = Unpooled.buffer(encoded.length).writeBytes(encoded);
            batch[i] = new CoreMessage(pools);
            batch[i].receiveBuffer(buffer);
            var unused = batch[i].getAddressSimpleString(); // the broker decodes the head
        }
        return batch;
    }

    private static byte[] encoded(String address) {
        CoreMessage message = new CoreMessage(1, BODY);
        message.setAddress(SimpleString.of(address)).setDurable(true);
        message.setType(Message.BYTES_TYPE);
        message.putStringProperty("JMSCorrelationID", "17-1234");
        message.getBodyBuffer().writeBytes(new byte[BODY]);
        byte[] encoded = new byte[message.getEncodeSize()];
        message.getBuffer().getBytes(0, encoded);
        return encoded;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
