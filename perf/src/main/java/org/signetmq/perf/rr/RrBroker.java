/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.signetmq.interceptor.SignetPlugin;

/**
 * The process of the broker: a real journal, made durable before a send returns, and the plugin. Says on its first line
 * where it listens; ends when its input ends.
 */
public final class RrBroker {
    private static final String ROLE = "rr";

    private RrBroker() {}

    /** Runs until the input ends; the argument is the folder made by the command. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        RrHomes homes = new RrHomes(folder);
        EmbeddedActiveMQ embedded = new EmbeddedActiveMQ()
                .setConfiguration(configuration(folder, homes))
                .setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users(homes)));
        embedded.start();
        if (!embedded.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS)) {
            throw new IOException("broker: not active after 30 s");
        }
        System.out.println("ready " + port(embedded));
        while (System.in.read() >= 0) {
            // until the command is done with us, or is no more
        }
        embedded.stop();
        System.exit(0);
    }

    private static int port(EmbeddedActiveMQ embedded) {
        NettyAcceptor acceptor = (NettyAcceptor)
                embedded.getActiveMQServer().getRemotingService().getAcceptor("core");
        return acceptor.getActualPort();
    }

    private static Configuration configuration(Path folder, RrHomes homes) throws Exception {
        Path data = Files.createDirectories(folder.resolve("broker-data"));
        Configuration configuration = new ConfigurationImpl()
                .setName("signet-perf")
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalBufferTimeout_NIO((int) SyncTime.measure(data))
                .setJournalDirectory(data + "/journal")
                .setBindingsDirectory(data + "/bindings")
                .setPagingDirectory(data + "/paging")
                .setLargeMessagesDirectory(data + "/large-messages")
                .setJMXManagementEnabled(false)
                .setCriticalAnalyzer(false)
                .setSecurityEnabled(true);
        configuration.addAcceptorConfiguration("core", "tcp://127.0.0.1:0?protocols=CORE");
        configuration.putSecurityRoles("#", Set.of(everythingAllowed()));
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAutoCreateAddresses(true)
                        .setAutoCreateQueues(true)
                        // what earlier blocks left would slow down each later look-up of an address
                        .setAutoDeleteAddresses(true)
                        .setAutoDeleteQueues(true));
        configuration.registerBrokerPlugin(plugin(homes));
        return configuration;
    }

    private static SignetPlugin plugin(RrHomes homes) {
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of(
                "home", homes.broker().root().toString(),
                "identity", RrHomes.BROKER,
                "password-file", homes.passwordFile().toString()));
        return plugin;
    }

    private static SecurityConfiguration users(RrHomes homes) throws IOException {
        SecurityConfiguration users = new SecurityConfiguration();
        for (KeyKind key : KeyKind.values()) {
            users.addUser(key.sender(), homes.userPassword());
            users.addRole(key.sender(), ROLE);
        }
        return users;
    }

    private static Role everythingAllowed() {
        return new Role(ROLE, true, true, true, true, true, true, true, true, true, true, true, true);
    }
}
