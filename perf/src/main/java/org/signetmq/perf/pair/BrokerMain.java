/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PrivilegedAction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.security.auth.Subject;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.apache.activemq.artemis.spi.core.security.jaas.RolePrincipal;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.SignetControlMBean;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Row;

/** The broker process of a pair. Its journal is durable before a send returns. */
record BrokerMain(
        PairFolder folder, Setting setting, @Nullable Replication replication) {
    static final String READ = "read";
    static final String COLLECT = "collect";
    /** Writes the heap to the file that the request names. */
    static final String DUMP = "dump";
    /** Limits the messages of an address that are in memory; the others go to pages. */
    static final String LIMIT = "limit";

    static final String FILE = "file";
    static final String BYTES = "bytes";
    static final String PORT = "port";
    static final String HEAP_MB = "heap_mb";
    static final String SEALED = "sealed";
    static final String KEY_WAITS = "key_waits";

    private static final String ROLE = "rr";
    /** Files that are kept and used again: making new ones would count as writing messages. */
    private static final int JOURNAL_FILES = 10;

    private static final int PAGE_BYTES = 1 << 20;
    private static final int BLOCK = 4096;
    private static final int WRITES = 101;

    /**
     * Runs the broker until its input ends or a signal ends it.
     *
     * @param arguments the folder of the pair, the setting as JSON, the folder of the journal, and the part in a
     *     replication as JSON if there is one
     */
    public static void main(String[] arguments) {
        Requests.run(requests -> {
            Path journal = Path.of(arguments[2]);
            BrokerMain main = new BrokerMain(
                    new PairFolder(Path.of(arguments[0])),
                    Requests.of(arguments[1], Setting.class),
                    arguments.length > 3 ? Requests.of(arguments[3], Replication.class) : null);
            EmbeddedActiveMQ embedded = main.broker(journal);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(embedded)));
            embedded.start();
            ActiveMQServer server = embedded.getActiveMQServer();
            requests.serve(
                    Row.of(PORT, main.awaitPort(server)),
                    Map.of(
                            READ, request -> Readings.ofThisProcess().and(counts(server)),
                            COLLECT, request -> collect(),
                            DUMP, request -> dump(Path.of(request.text(FILE))),
                            LIMIT, request -> limit(server, (int) request.number(BYTES))));
        });
    }

    /** Waits until the broker can do its part, and returns its port. The port of a backup is not open yet. */
    private int awaitPort(ActiveMQServer server) throws Exception {
        if (replication != null && replication.backup()) {
            replication.awaitSynchronised(server);
            return replication.port();
        }
        if (!server.waitForActivation(30, TimeUnit.SECONDS)) {
            throw new IOException("broker: not active after 30 s");
        }
        return ((NettyAcceptor) server.getRemotingService().getAcceptor("core")).getActualPort();
    }

    /** Returns the counts of the plugin; none if there is no plugin. The plugin answers a role that may view. */
    private static Row counts(ActiveMQServer server) {
        Subject viewer = new Subject(true, Set.of(new RolePrincipal(ROLE)), Set.of(), Set.of());
        return Subject.doAs(viewer, (PrivilegedAction<Row>)
                () -> server.getManagementService().getUntypedControl("signet") instanceof SignetControlMBean control
                        ? Row.of(SEALED, control.getSealed())
                                .with(Participants.KEYS, control.getKeysBegun())
                                .with(KEY_WAITS, control.getKeyWaits())
                        : Row.EMPTY);
    }

    private static Row collect() {
        System.gc();
        return Row.of(
                HEAP_MB,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6);
    }

    private static Row limit(ActiveMQServer server, int bytes) {
        server.getAddressSettingsRepository().addMatch(PairFolder.ADDRESSES, paging(bytes));
        return Row.EMPTY;
    }

    /** Returns settings with which each address has at most these bytes of messages in memory; -1 for no limit. */
    private static AddressSettings paging(int bytes) {
        return new AddressSettings()
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                .setMaxSizeBytes(bytes)
                .setPageSizeBytes(PAGE_BYTES);
    }

    /** Writes all of the heap, with what no object needs any more. */
    private static Row dump(Path file) throws IOException {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), false);
        return Row.EMPTY;
    }

    private static void end(EmbeddedActiveMQ embedded) {
        try {
            embedded.stop();
        } catch (Exception e) {
            System.err.println("signet: error: broker: cannot be stopped: " + Requests.reason(e));
        }
    }

    private EmbeddedActiveMQ broker(Path journal) throws Exception {
        SecurityConfiguration users = new SecurityConfiguration();
        users.addUser(PairFolder.SENDER, folder.password());
        users.addRole(PairFolder.SENDER, ROLE);
        return new EmbeddedActiveMQ()
                .setConfiguration(configuration(journal))
                .setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
    }

    private Configuration configuration(Path journal) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setName("signet-perf")
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalMinFiles(JOURNAL_FILES)
                .setJournalPoolFiles(JOURNAL_FILES)
                .setJournalBufferTimeout_NIO((int) syncNanos(journal))
                .setJMXManagementEnabled(false)
                .setCriticalAnalyzer(false)
                .setAddressQueueScanPeriod(-1) // a scan disturbs the next load, and fails at the end
                .addAcceptorConfiguration(
                        "core",
                        "tcp://127.0.0.1:" + (replication == null ? 0 : replication.port()) + "?protocols=CORE"
                                + tls());
        configuration.setBrokerInstance(journal.toFile());
        configuration.addAddressSetting(Stock.PAGED_ADDRESSES, paging(PAGE_BYTES));
        if (replication != null) {
            replication.configure(configuration, folder.password());
        }
        configuration.putSecurityRoles(
                "#", Set.of(new Role(ROLE, true, true, true, true, true, true, true, true, true, true, true, true)));
        configuration.putSecurityRoles(
                "mops.signet.#",
                Set.of(new Role(
                        ROLE, false, false, false, false, false, false, false, false, false, false, true, false)));
        if (setting.protection() == Setting.Protection.NONE
                || setting.protection().isSignet()) {
            SignetPlugin plugin = new SignetPlugin();
            Map<String, String> properties = new HashMap<>(Setting.properties(setting.pool()));
            properties.put("home", folder.broker().root().toString());
            properties.put("identity", PairFolder.BROKER);
            properties.put("password-file", folder.passwordFile().toString());
            plugin.init(properties);
            configuration.registerBrokerPlugin(plugin);
        }
        return configuration;
    }

    private String tls() throws IOException {
        return setting.tls()
                ? ";sslEnabled=true;keyStoreType=PKCS12;keyStorePath=" + folder.tlsKeyStore() + ";keyStorePassword="
                        + folder.password()
                : "";
    }

    /**
     * Returns how long the disk takes to make a write durable, the median of many. The broker's own set-up measures the
     * same, and collects writes for as long before it makes them durable together.
     */
    private static long syncNanos(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "sync", ".bin");
        long[] nanos = new long[WRITES];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BLOCK * WRITES), 0);
            channel.force(true);
            for (int i = 0; i < WRITES; i++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(BLOCK), (long) i * BLOCK);
                channel.force(false);
                nanos[i] = System.nanoTime() - start;
            }
        } finally {
            Files.delete(file); // not on opening, as Java would: gocryptfs does not force a file without a name
        }
        Arrays.sort(nanos);
        return nanos[WRITES / 2];
    }

    /**
     * The part of a broker in a couple of a primary and its backup, on this host.
     *
     * @param backup whether this broker waits for its primary to fail
     * @param port of the broker itself
     * @param otherPort of the other one
     */
    record Replication(boolean backup, int port, int otherPort) {
        private static final int RETRY_MILLIS = 100;
        private static final long SYNCHRONISE_SECONDS = 60;
        private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

        /**
         * Returns the part of a new primary. Its cluster must know both ports before the brokers start, so the system
         * chooses two that are free now.
         */
        static Replication primary() throws IOException {
            InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            try (ServerSocket one = new ServerSocket(0, 1, here);
                    ServerSocket other = new ServerSocket(0, 1, here)) {
                return new Replication(false, one.getLocalPort(), other.getLocalPort());
            }
        }

        /** Returns the part of the other broker. */
        Replication other() {
            return new Replication(!backup, otherPort, port);
        }

        /** Makes a broker take its part. Neither broker votes: a third one, which a vote needs, is not there. */
        void configure(Configuration configuration, String password) throws Exception {
            configuration.addConnectorConfiguration("self", "tcp://127.0.0.1:" + port);
            configuration.addConnectorConfiguration("other", "tcp://127.0.0.1:" + otherPort);
            configuration.setClusterPassword(password);
            configuration.addClusterConfiguration(new ClusterConnectionConfiguration()
                    .setName("couple")
                    .setConnectorName("self")
                    .setRetryInterval(RETRY_MILLIS)
                    .setStaticConnectors(List.of("other")));
            configuration.setHAPolicyConfiguration(
                    backup
                            ? new ReplicaPolicyConfiguration()
                                    .setRestartBackup(false)
                                    .setMaxSavedReplicatedJournalsSize(0)
                            : new ReplicatedPolicyConfiguration());
        }

        /**
         * Waits until a backup has a copy of all that its primary holds: until then writes are not replicated.
         *
         * @throws IOException if that takes too long
         */
        void awaitSynchronised(ActiveMQServer server) throws IOException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SYNCHRONISE_SECONDS);
            while (backup && !server.isReplicaSync()) {
                if (System.nanoTime() > end) {
                    throw new IOException("backup: not synchronised after " + SYNCHRONISE_SECONDS + " s");
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}
