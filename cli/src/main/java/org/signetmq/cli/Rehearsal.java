/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.keystore.file.WholeFile;

/**
 * Runs the commonest commands once, in an empty folder and with a broker in this process. The launcher has Java note
 * which classes they load and write these into an archive, from which every later command starts faster.
 */
final class Rehearsal {
    private static final String PASSWORD = "rehearsal";

    private static final long MOST_SECONDS = 60;

    private static final List<String> COMMANDS = List.of(
            "identity create a --dn CN=a",
            "policy set a --quality privacy --recipient a",
            "policy list",
            "message seal --address a --as a --in message --out sealed",
            "message open --address a --as a --in sealed --out opened",
            "message inspect --in sealed",
            "identity list");

    private static final List<String> COMMANDS_TO_A_BROKER = List.of(
            "policy set a --quality privacy --recipient a", "policy list", "broker status", "queue browse a --as a");

    private Rehearsal() {}

    /** Runs the commands in the folder that the first argument names. The launcher deletes it. */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        // the first command of a user waits for this
        CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS)
                .execute(() -> Runtime.getRuntime().halt(ExitCode.FAILURE));
        Path folder = Path.of(arguments[0]);
        Files.write(folder.resolve("message"), new byte[3 << 20]); // three segments
        run(folder, "", COMMANDS);
        EmbeddedActiveMQ broker = broker(folder.resolve("signet-home")).start();
        try {
            int port = broker.getActiveMQServer()
                    .getRemotingService()
                    .getAcceptor("core")
                    .getActualPort();
            run(folder, "tcp://127.0.0.1:" + port, COMMANDS_TO_A_BROKER);
        } finally {
            broker.stop();
        }
        System.exit(ExitCode.OK); // threads of clients last longer
    }

    private static void run(Path folder, String broker, List<String> commands) {
        OutputStream nowhere = OutputStream.nullOutputStream();
        Shell.Streams streams =
                new Shell.Streams(InputStream.nullInputStream(), nowhere, new PrintStream(nowhere), null);
        Map<String, String> environment = Map.of("SIGNET_PASSWORD", PASSWORD, "SIGNET_BROKER", broker);
        Shell shell = new Shell(streams, environment, folder, Clock.systemUTC());
        for (String command : commands) {
            int exitCode = Main.run(shell, command.split(" "));
            if (exitCode != ExitCode.OK) {
                throw new IllegalStateException("rehearsal: exit code " + exitCode + " of " + command);
            }
        }
    }

    private static EmbeddedActiveMQ broker(Path home) throws Exception {
        Path password = home.resolve("password");
        new WholeFile(password).write(PASSWORD.getBytes(StandardCharsets.US_ASCII), WholeFile.PRIVATE);
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of("home", home.toString(), "identity", "a", "password-file", password.toString()));
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .addAcceptorConfiguration("core", "tcp://127.0.0.1:0?protocols=CORE")
                .addQueueConfiguration(QueueConfiguration.of("a").setRoutingType(RoutingType.ANYCAST));
        configuration.registerBrokerPlugin(plugin);
        return new EmbeddedActiveMQ().setConfiguration(configuration);
    }
}
