/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import jakarta.jms.Connection;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;

/**
 * Measures the plugin's callbacks for each Core message that it seals, in a broker with security. No test: run
 * {@code main}. It prints bytes allocated and nanoseconds a message: warm in a loop, and with the processor's caches
 * emptied before each message, as between the other work of a broker.
 */
final class SealingCost {
    /** More than the second-level cache of a processor. */
    private static final int EVICTING = 4 << 20;

    private static final int BODY = 2048;
    private static final int BATCH = 500;
    private static final int REPEATS = 4;
    private static final int ROUNDS = 200;
    private static final int COLD_MESSAGES = 2_000;
    /** Messages for each data key: enough that making keys takes no notable time. */
    private static final int REUSE = 1_000_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final CoreMessageObjectPools pools = new CoreMessageObjectPools();
    private final SignetPlugin plugin;
    private final ServerSession session;
    private final RoutingContext context;
    private final byte[] evicting = new byte[EVICTING];
    private int sum;

    private SealingCost(SignetPlugin plugin, ServerSession session) {
        this.plugin = plugin;
        this.session = session;
        this.context = new RoutingContextImpl(null);
    }

    public static void main(String[] arguments) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(Files.createTempDirectory("signet-cost")).secured();
        KeyLimits limits = new KeyLimits(REUSE, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
        setup.homes().policies(1, Policy.confidentiality("orders.#", List.of(TestHomes.CONSUMER), limits));
        try (TestBroker broker = setup.start();
                ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.uri());
                Connection connection = factory.createConnection("alice", "secret")) {
            var unused = connection.createSession();
            ServerSession session = broker.server().getSessions().stream()
                    .filter(each -> "alice".equals(each.getValidatedUser()))
                    .findAny()
                    .orElseThrow();
            SealingCost cost = new SealingCost(broker.plugin, session);
            for (int i = 0; i < REPEATS; i++) {
                cost.measure("bytes", Message.BYTES_TYPE);
                cost.measure("text", Message.TEXT_TYPE);
            }
        }
        System.exit(0);
    }

    private void measure(String name, byte type) throws Exception {
        byte[] encoded = encoded(type);
        double[] nanos = new double[ROUNDS];
        double[] bytes = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            CoreMessage[] batch = batch(BATCH, encoded);
            long allocated = threads.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            for (CoreMessage message : batch) {
                send(message);
            }
            nanos[round] = (System.nanoTime() - start) / (double) BATCH;
            bytes[round] = (threads.getCurrentThreadAllocatedBytes() - allocated) / (double) BATCH;
        }
        double[] cold = new double[COLD_MESSAGES];
        CoreMessage[] batch = batch(COLD_MESSAGES, encoded);
        for (int i = 0; i < COLD_MESSAGES; i++) {
            emptyCaches();
            long start = System.nanoTime();
            send(batch[i]);
            cold[i] = System.nanoTime() - start;
        }
        System.out.printf(
                "%s: %.0f bytes, %.0f ns warm, %.0f ns cold (least tenth %.0f)%n",
                name,
                bytes[ROUNDS - 1],
                median(nanos),
                median(cold),
                Arrays.stream(cold).sorted().limit(COLD_MESSAGES / 10).average().orElse(sum));
    }

    /** The broker's calls for one message, without routing and storage. */
    @SuppressWarnings("NullAway") // the broker passes no transaction
    private void send(CoreMessage message) throws Exception {
        plugin.beforeSend(session, null, message, false, false);
        plugin.beforeMessageRoute(message, context, false, false);
        sum += message.getMemoryEstimate();
        plugin.afterSend(session, null, message, false, false, RoutingStatus.OK);
    }

    private CoreMessage[] batch(int count, byte[] encoded) {
        CoreMessage[] batch = new CoreMessage[count];
        for (int i = 0; i < count; i++) {
            ByteBuf buffer = Unpooled.buffer(encoded.length).writeBytes(encoded);
            batch[i] = new CoreMessage(pools);
            batch[i].receiveBuffer(buffer);
            batch[i].setMessageID(i + 1);
        }
        return batch;
    }

    private static byte[] encoded(byte type) {
        CoreMessage message = new CoreMessage(1, BODY);
        message.setAddress(SimpleString.of("orders.eu")).setDurable(true);
        message.setType(type);
        message.putStringProperty("JMSCorrelationID", "17-1234");
        message.putStringProperty("JMSReplyTo", "queue://replies.17");
        byte[] random = new byte[BODY];
        new Random(1).nextBytes(random);
        random[0] = 1;
        if (type == Message.TEXT_TYPE) {
            message.getBodyBuffer().writeNullableSimpleString(SimpleString.of("0123456789abcdef".repeat(BODY / 16)));
        } else {
            message.getBodyBuffer().writeBytes(random);
        }
        byte[] encoded = new byte[message.getEncodeSize()];
        message.getBuffer().getBytes(0, encoded);
        return encoded;
    }

    private void emptyCaches() {
        for (int i = 0; i < evicting.length; i += 64) {
            sum += evicting[i]++;
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
