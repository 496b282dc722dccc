/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.interceptor.SignetControlMBean;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.perf.pair.Setting.Transport;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;

/** The broker process of a pair. Its journal is durable before a send returns. */
final class BrokerMain {
    static final String READ = "read";
    static final String COUNT = "count";
    static final String COLLECT = "collect";
    static final String SEALED = "sealed";
    static final String KEY_WAITS = "key_waits";
    static final String HEAP_MB = "heap_mb";
    static final String PORT = "port";

    private static final String ROLE = "rr";
    private static final int BLOCK = 4096;
    private static final int WRITES = 101;
    /** Files that are kept and used again: making new ones would count as writing messages. */
    private static final int JOURNAL_FILES = 10;

    private final PairFolder folder;
    private final Setting setting;

    private BrokerMain(PairFolder folder, Setting setting) {
        this.folder = folder;
        this.setting = setting;
    }

    /**
     * Runs the broker until its input ends or a signal ends it. It deletes its journal then.
     *
     * @param arguments the folder of the pair, the setting as JSON, and the folder of the journal
     */
    public static void main(String[] arguments) throws IOException {
        Requests requests = new Requests();
        requests.run(() -> serve(requests, arguments));
    }

    private static void serve(Requests requests, String[] arguments) throws Exception {
        Setting setting = Setting.of(new Result(new ObjectMapper().readTree(arguments[1])));
        Path journal = Path.of(arguments[2]);
        BrokerMain main = new BrokerMain(new PairFolder(Path.of(arguments[0])), setting);
        EmbeddedActiveMQ embedded = main.broker(journal);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(embedded, journal)));
        embedded.start();
        if (!embedded.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS)) {
            throw new IOException("broker: not active after 30 s");
        }
        NettyAcceptor acceptor = (NettyAcceptor)
                embedded.getActiveMQServer().getRemotingService().getAcceptor("core");
        requests.serve(
                Result.EMPTY.with(PORT, acceptor.getActualPort()),
                Map.of(
                        READ, request -> Readings.ofThisProcess(),
                        COUNT, request -> counts(embedded.getActiveMQServer()),
                        COLLECT, request -> collect()));
    }

    /** Returns the counts of the plugin; none if there is no plugin. */
    private static Result counts(ActiveMQServer server) {
        return server.getManagementService().getUntypedControl("signet") instanceof SignetControlMBean control
                ? Result.EMPTY.with(SEALED, control.getSealed()).with(KEY_WAITS, control.getKeyWaits())
                : Result.EMPTY;
    }

    private static Result collect() {
        System.gc();
        return Result.EMPTY.with(
                HEAP_MB,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6);
    }

    private static void end(EmbeddedActiveMQ embedded, Path journal) {
        try {
            embedded.stop();
        } catch (Exception e) {
            System.err.println("signet: error: broker: cannot be stopped: " + Parts.reason(e));
        } finally {
            FileUtil.deleteDirectory(journal.toFile());
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
                .addAcceptorConfiguration("core", "tcp://127.0.0.1:0?protocols=CORE" + tls());
        configuration.setBrokerInstance(journal.toFile());
        configuration.putSecurityRoles(
                "#", Set.of(new Role(ROLE, true, true, true, true, true, true, true, true, true, true, true, true)));
        if (setting.protection() == Protection.NONE || setting.protection().isSignet()) {
            SignetPlugin plugin = new SignetPlugin();
            Map<String, String> properties =
                    new HashMap<>(setting.place().keys().properties());
            properties.put("home", folder.broker().root().toString());
            properties.put("identity", PairFolder.BROKER);
            properties.put("password-file", folder.passwordFile().toString());
            plugin.init(properties);
            configuration.registerBrokerPlugin(plugin);
        }
        return configuration;
    }

    private String tls() throws IOException {
        return setting.place().transport() == Transport.TCP
                ? ""
                : ";sslEnabled=true;keyStoreType=PKCS12;keyStorePath=" + folder.tlsKeyStore() + ";keyStorePassword="
                        + folder.password();
    }

    /**
     * Returns how long the disk takes to make a write durable, the median of many. The broker's own set-up measures the
     * same, and collects writes for as long before it makes them durable together.
     */
    private static long syncNanos(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "sync", ".bin");
        long[] nanos = new long[WRITES];
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            channel.write(ByteBuffer.allocate(BLOCK * WRITES), 0);
            channel.force(true);
            for (int i = 0; i < WRITES; i++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(BLOCK), (long) i * BLOCK);
                channel.force(false);
                nanos[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return nanos[WRITES / 2];
    }
}
