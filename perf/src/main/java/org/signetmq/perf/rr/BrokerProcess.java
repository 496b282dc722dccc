/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.variant.KeyKind;

/**
 * The broker in a process of its own, with the class path of this one. It has the plugin, and a journal that is durable
 * before a send returns.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;
    private static final String READY = "ready ";
    private static final String ROLE = "rr";
    private static final int BLOCK = 4096;
    private static final int WRITES = 101;

    private final Process process;
    private final int port;

    /** Starts it in the folder of the homes, with these options of Java; its standard error appears on ours. */
    BrokerProcess(Path folder, List<String> options) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xms1g", "-Xmx1g", "-Djava.awt.headless=true"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(BrokerProcess.class.getName(), folder.toString()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = process.inputReader().readLine();
        if (answer == null || !answer.startsWith(READY)) {
            close();
            throw new IOException("broker: not ready, says: " + answer);
        }
        port = Integer.parseInt(answer.substring(READY.length()));
    }

    int port() {
        return port;
    }

    Duration cpuTime() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("broker: the system does not tell its processor time"));
    }

    /** Ends its input, which ends it; by force if it does not. */
    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("broker: interrupted while it ended", e);
        }
    }

    /**
     * Runs the broker. Its first line says where it listens. It ends when its input ends or a signal ends it, and
     * deletes its folder, which the argument names.
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Homes homes = new Homes(folder);
        SecurityConfiguration users = new SecurityConfiguration();
        for (KeyKind key : KeyKind.values()) {
            users.addUser(Homes.sender(key), homes.userPassword());
            users.addRole(Homes.sender(key), ROLE);
        }
        EmbeddedActiveMQ embedded = new EmbeddedActiveMQ()
                .setConfiguration(configuration(folder, homes))
                .setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(embedded, folder)));
        embedded.start();
        if (!embedded.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS)) {
            throw new IOException("broker: not active after 30 s");
        }
        NettyAcceptor acceptor = (NettyAcceptor)
                embedded.getActiveMQServer().getRemotingService().getAcceptor("core");
        System.out.println(READY + acceptor.getActualPort());
        System.in.readAllBytes(); // until the command closes it, or is no more
        System.exit(0);
    }

    private static void end(EmbeddedActiveMQ embedded, Path folder) {
        try {
            embedded.stop();
        } catch (Exception e) {
            System.err.println("signet: error: broker: cannot be stopped: " + Parts.reason(e));
        } finally {
            FileUtil.deleteDirectory(folder.toFile());
        }
    }

    /**
     * Returns the configuration. The broker makes queues at first use and deletes unused ones: those of earlier blocks
     * would slow it down.
     */
    private static Configuration configuration(Path folder, Homes homes) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setName("signet-perf")
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalBufferTimeout_NIO((int) syncNanos(folder))
                .setJMXManagementEnabled(false)
                .setCriticalAnalyzer(false)
                .addAcceptorConfiguration("core", "tcp://127.0.0.1:0?protocols=CORE");
        configuration.setBrokerInstance(folder.toFile());
        configuration.putSecurityRoles(
                "#", Set.of(new Role(ROLE, true, true, true, true, true, true, true, true, true, true, true, true)));
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of(
                "home", homes.broker().root().toString(),
                "identity", Homes.BROKER,
                "password-file", homes.passwordFile().toString()));
        configuration.registerBrokerPlugin(plugin);
        return configuration;
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
