/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.utils.UUIDGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.keys.KeyWrapping.PreparedKey;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.testkit.EmbeddedBroker;

/**
 * The memory that the plugin allocates for a message that the broker seals: the envelope itself, the cipher of the
 * provider, and small objects. These are counted in bytes, which do not depend on the load of the machine. The second
 * compiler, which these tests do not have, removes about a third of them.
 */
final class SealingCostIT {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int BATCH = 500;
    private static final int BATCHES = 5;
    private static final int PAYLOAD = 2048;

    /** The most bytes of small objects, which are some thirty-five. Three with 160 bytes mark the broker's message. */
    private static final long SMALL_OBJECTS = 1400;

    @TempDir
    private Path folder;

    private final CompletableFuture<ServerSession> session = new CompletableFuture<>();
    private long before;
    private long allocated;

    /** The plugin before Signet's in the list of the broker. */
    private final class Begin implements ActiveMQServerPlugin {
        @Override
        public void beforeSend(ServerSession of, Transaction tx, Message message, boolean direct, boolean noAuto) {
            if ("open".equals(message.getAddress())) {
                session.complete(of);
            }
            boolean unused = message.containsProperty("any"); // reads the properties, as the broker would do later
            before = bytes();
        }

        @Override
        public void beforeMessageRoute(Message message, RoutingContext context, boolean direct, boolean duplicates) {
            before = bytes();
        }

        @Override
        public void afterSend(
                ServerSession of, Transaction tx, Message message, boolean direct, boolean no, RoutingStatus result) {
            before = bytes();
        }
    }

    /** The plugin behind Signet's. */
    private final class End implements ActiveMQServerPlugin {
        @Override
        public void beforeSend(ServerSession of, Transaction tx, Message message, boolean direct, boolean noAuto) {
            allocated += bytes() - before;
        }

        @Override
        public void beforeMessageRoute(Message message, RoutingContext context, boolean direct, boolean duplicates) {
            allocated += bytes() - before;
        }

        @Override
        public void afterSend(
                ServerSession of, Transaction tx, Message message, boolean direct, boolean no, RoutingStatus result) {
            allocated += bytes() - before;
        }
    }

    private static long bytes() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    @Test
    void sealedMessage_allocatesLittleBesideEnvelopeAndCipher() throws Exception {
        TestHomes homes = new TestHomes(folder);
        KeyLimits oneKey = new KeyLimits(KeyLimits.MOST_MESSAGES, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
        homes.policies(1, Policy.confidentiality("orders", List.of(TestHomes.CONSUMER), oneKey));
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of("home", homes.broker.root().toString(), "password-file", homes.passwordFile.toString()));
        EmbeddedBroker broker = new EmbeddedBroker("");
        List.of(new Begin(), plugin, new End()).forEach(broker.configuration()::registerBrokerPlugin);
        try (broker) {
            broker.start();
            broker.server()
                    .createQueue(QueueConfiguration.of("orders")
                            .setRoutingType(RoutingType.ANYCAST)
                            .setRingSize(1L));
            broker.createQueue("open");
            try (ServerLocator locator = ActiveMQClient.createServerLocator(broker.url());
                    ClientSessionFactory factory = locator.createSessionFactory();
                    ClientSession client = factory.createSession()) {
                client.createProducer("open").send(client.createMessage(false));
                ServerSession sending = session.get(1, TimeUnit.MINUTES);
                byte[] encoded = encoded();

                long sealed = Long.MAX_VALUE;
                for (int i = 0; i < BATCHES; i++) {
                    sealed = Math.min(sealed, bytesBesideEnvelope(sending, encoded));
                }
                long cipher = bytesOfCipher();

                assertThat(plugin.state().counts().sealed()).isEqualTo(BATCH * BATCHES);
                assertThat(sealed - cipher)
                        .as("%s bytes, of which %s are the cipher's", sealed, cipher)
                        .isBetween(0L, SMALL_OBJECTS);
            }
        }
    }

    /** Sends messages as the broker does when they arrive, and returns the mean for one. */
    private long bytesBesideEnvelope(ServerSession sending, byte[] encoded) throws Exception {
        allocated = 0;
        long envelopes = 0;
        CoreMessageObjectPools pools = new CoreMessageObjectPools();
        for (int i = 0; i < BATCH; i++) {
            ByteBuf arrived = Unpooled.buffer(encoded.length).writeBytes(encoded);
            CoreMessage message = new CoreMessage(pools);
            message.receiveBuffer(arrived);
            sending.send(message, false, null);
            assertThat(message.getBuffer().capacity()).isGreaterThan(encoded.length + PAYLOAD / 8);
            envelopes += message.getBuffer().capacity();
        }
        return (allocated - envelopes) / BATCH;
    }

    private static byte[] encoded() {
        CoreMessage message = new CoreMessage(0, PAYLOAD);
        message.setAddress("orders");
        message.setType(Message.BYTES_TYPE);
        message.setUserID(UUIDGenerator.getInstance().generateUUID());
        message.setReplyTo(SimpleString.of("replies"));
        message.putStringProperty("JMSCorrelationID", "a correlation");
        message.getBodyBuffer().writeBytes(new byte[PAYLOAD]);
        byte[] encoded = new byte[message.getEncodeSize()];
        message.getBuffer().getBytes(0, encoded);
        return encoded;
    }

    private static long bytesOfCipher() {
        byte[] content = new byte[2 * PAYLOAD];
        try (DataKey key = DataKey.generate(CryptoProviders.standard());
                ContentCipher cipher = new ContentCipher(CryptoProviders.standard())) {
            PreparedKey prepared = new PreparedKey(key, new byte[0]);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < BATCH; i++) {
                KeyLease lease = new KeyLease(prepared, 1, i, () -> {});
                long start = bytes();
                cipher.encrypt(lease, content, 0, PAYLOAD);
                least = Math.min(least, bytes() - start);
            }
            return least;
        }
    }
}
