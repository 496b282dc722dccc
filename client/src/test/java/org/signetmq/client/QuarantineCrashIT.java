/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XASession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.keystore.home.Password;

/**
 * Consumers of a process that ends after the quarantine has their message, and before the broker has the
 * acknowledgement. The broker has the plugin, which checks the notes.
 */
final class QuarantineCrashIT extends ProtectingBrokerTest {
    private static final String QUARANTINE = "SIGNET.QUARANTINE";
    private static final int KILLED = 9;

    /** The consumers of the process. */
    enum Crash {
        CORE(Client.CORE, Session.AUTO_ACKNOWLEDGE),
        CORE_CLIENT_ACKNOWLEDGE(Client.CORE, Session.CLIENT_ACKNOWLEDGE),
        CORE_TRANSACTED(Client.CORE, Session.SESSION_TRANSACTED),
        CORE_XA(Client.CORE, Crash.XA),
        AMQP(Client.AMQP, Session.AUTO_ACKNOWLEDGE),
        AMQP_CLIENT_ACKNOWLEDGE(Client.AMQP, Session.CLIENT_ACKNOWLEDGE),
        AMQP_TRANSACTED(Client.AMQP, Session.SESSION_TRANSACTED),
        OPENWIRE(Client.OPENWIRE, Session.AUTO_ACKNOWLEDGE),
        OPENWIRE_CLIENT_ACKNOWLEDGE(Client.OPENWIRE, Session.CLIENT_ACKNOWLEDGE),
        OPENWIRE_TRANSACTED(Client.OPENWIRE, Session.SESSION_TRANSACTED),
        OPENWIRE_XA(Client.OPENWIRE, Crash.XA);

        private static final int XA = -1;

        private final Client client;
        private final int mode;

        Crash(Client client, int mode) {
            this.client = client;
            this.mode = mode;
        }

        String address() {
            return "moved.crash." + name();
        }

        boolean transacted() {
            return mode == Session.SESSION_TRANSACTED || mode == XA;
        }
    }

    @Test
    void processThatEndsBetweenQuarantineAndAcknowledgement_losesAndDoublesNothing() throws Exception {
        List<String> addresses = new ArrayList<>();
        for (Crash crash : Crash.values()) {
            addresses.add(crash.address());
            send(crash.address(), FailureIT.Flaw.TAMPERED.body(keys, crash.address()));
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Consumers.class.getName(),
                        String.valueOf(broker.port()),
                        keys.folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(KILLED);
        for (Crash crash : Crash.values()) {
            awaitMessages(crash.address(), 1);
        }
        assertThat(notedAddresses())
                .containsExactlyInAnyOrderElementsOf(addresses.stream()
                        .filter(address -> !Crash.valueOf(address.substring(address.lastIndexOf('.') + 1))
                                .transacted())
                        .toList());

        for (Crash crash : Crash.values()) {
            try (Taking again = Way.LISTENER.open(signet(crash.client), crash.address())) {
                awaitMessages(crash.address(), 0);
                assertThat(again).isNotNull();
            }
        }
        assertThat(notedAddresses()).containsExactlyInAnyOrderElementsOf(addresses);
        assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isZero();
    }

    /** Returns the original addresses of the messages in quarantine. */
    private List<String> notedAddresses() throws Exception {
        List<String> addresses = new ArrayList<>();
        try (JMSContext context = broker.core().createContext()) {
            var shown = context.createBrowser(context.createQueue(QUARANTINE)).getEnumeration();
            while (shown.hasMoreElements()) {
                addresses.add(((Message) shown.nextElement()).getStringProperty(QuarantineNote.ADDRESS));
            }
            return addresses;
        }
    }

    /** The process. It ends when each of its consumers is about to acknowledge a message that is in quarantine. */
    static final class Consumers {
        private static final CountDownLatch REACHED = new CountDownLatch(Crash.values().length);

        private Consumers() {}

        public static void main(String[] arguments) throws Exception {
            for (Crash crash : Crash.values()) {
                ConnectionFactory provider = provider(crash, arguments[0]);
                try (Password password = Keys.password()) {
                    SignetConnectionFactory signet =
                            SignetConnectionFactory.open(provider, Path.of(arguments[1]), "alice", password);
                    if (crash.mode == Crash.XA) {
                        Thread receiving = new Thread(() -> receive(signet.xa(), crash.address()));
                        receiving.setDaemon(true);
                        receiving.start();
                    } else {
                        Connection connection = signet.createConnection();
                        Session session = connection.createSession(crash.mode);
                        session.createConsumer(session.createQueue(crash.address()))
                                .setMessageListener(message -> System.out.println("delivered " + crash));
                        connection.start();
                    }
                }
            }
            boolean all = REACHED.await(60, TimeUnit.SECONDS);
            System.out.println(REACHED.getCount() + " did not reach it");
            System.out.flush();
            Runtime.getRuntime().halt(all ? KILLED : 1);
        }

        private static void receive(XAConnectionFactory factory, String address) {
            try {
                XAConnection connection = factory.createXAConnection();
                XASession session = connection.createXASession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(address));
                connection.start();
                XAResource resource = session.getXAResource();
                Xid branch = new Branch(address);
                resource.start(branch, XAResource.TMNOFLAGS);
                System.out.println(consumer.receive(3_000));
                resource.end(branch, XAResource.TMSUCCESS);
            } catch (Exception e) {
                e.printStackTrace(System.out);
            }
        }

        /** Never returns. */
        private static void reached() {
            REACHED.countDown();
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static ConnectionFactory provider(Crash crash, String port) throws Exception {
            if (crash.client == Client.CORE) {
                ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
                byte acknowledging = crash.mode == Session.AUTO_ACKNOWLEDGE
                        ? PacketImpl.SESS_INDIVIDUAL_ACKNOWLEDGE
                        : crash.mode == Crash.XA ? PacketImpl.SESS_XA_END : PacketImpl.SESS_COMMIT;
                factory.getServerLocator().addOutgoingInterceptor((packet, connection) -> {
                    if (packet.getType() == acknowledging) {
                        reached();
                    }
                    return true;
                });
                return factory;
            }
            if (crash.client == Client.AMQP) {
                return stopping(new JmsConnectionFactory("amqp://127.0.0.1:" + port), ConnectionFactory.class);
            }
            String url = "tcp://127.0.0.1:" + port + "?jms.watchTopicAdvisories=false";
            return crash.mode == Crash.XA
                    ? stopping(new ActiveMQXAConnectionFactory(url), ConnectionFactory.class, XAConnectionFactory.class)
                    : stopping(new org.apache.activemq.ActiveMQConnectionFactory(url), ConnectionFactory.class);
        }

        /** Returns an object of a provider that stops behind each send to the quarantine. */
        private static <T> T stopping(Object delegate, Class<T> type, Class<?>... others) {
            return type.cast(Proxy.newProxyInstance(
                    Consumers.class.getClassLoader(),
                    Stream.concat(Stream.of(type), Stream.of(others)).toArray(Class<?>[]::new),
                    (shown, method, arguments) -> called(delegate, method, arguments)));
        }

        private static @Nullable Object called(Object delegate, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            Object made;
            try {
                made = method.invoke(delegate, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            Class<?> type = method.getReturnType();
            if (delegate instanceof MessageProducer producer && method.getName().equals("send")) {
                if (producer.getDestination().toString().contains(QUARANTINE)) {
                    reached();
                }
            } else if (Set.of(Connection.class, XAConnection.class, Session.class, XASession.class)
                            .contains(type)
                    || type == MessageProducer.class) {
                return stopping(made, type);
            }
            return made;
        }
    }

    private record Branch(String name) implements Xid {
        @Override
        public int getFormatId() {
            return 4711;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return name.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}
