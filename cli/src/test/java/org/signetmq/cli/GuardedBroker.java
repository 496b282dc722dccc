/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.management.ObjectName;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.management.ManagementService;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.keystore.home.Home;
import org.signetmq.testkit.EmbeddedBroker;

/** A broker in this JVM with users who may do different things; the plugin's home is that of the commands. */
final class GuardedBroker implements AutoCloseable {
    /** May do all. */
    static final String ADMIN = "admin";

    /** May do all with queues and addresses, and read policies. */
    static final String VIEWER = "viewer";

    /** May do all with queues and addresses. */
    static final String QUEUES = "queues";

    /** May only look at what lies on queues. */
    static final String BROWSER = "browser";

    /** May only ask with a queue for the answer. */
    static final String NOBODY = "nobody";

    static final String PASSWORD = "broker's secret";

    private final EmbeddedBroker broker = new EmbeddedBroker("");
    private final Path folder;

    private GuardedBroker(Path folder, Consumer<Configuration> more) throws Exception {
        this.folder = folder;
        broker.storingIn(folder.resolve("data-" + port())) // two brokers may share the folder
                .securedFor(users())
                .configuration()
                .putSecurityRoles("#", roles())
                .putSecurityRoles(
                        "mops.signet.#",
                        Set.of(
                                role(ADMIN, EnumSet.of(CheckType.VIEW, CheckType.EDIT)),
                                role(VIEWER, EnumSet.of(CheckType.VIEW))));
        more.accept(broker.configuration());
        broker.start();
    }

    /** With the plugin, and the policy of privacy for {@code orders.#}. */
    static GuardedBroker protecting(Path folder) throws Exception {
        return protecting(folder, configuration -> {});
    }

    static GuardedBroker protecting(Path folder, Consumer<Configuration> more) throws Exception {
        return protecting(folder, "file", more);
    }

    /** With the plugin, which keeps its policies in the broker; it takes over that of privacy. */
    static GuardedBroker keepingPolicies(Path folder) throws Exception {
        return keepingPolicies(folder, configuration -> {});
    }

    static GuardedBroker keepingPolicies(Path folder, Consumer<Configuration> more) throws Exception {
        return protecting(folder, "broker", more);
    }

    /** With the plugin and a home that is ready. The folder becomes that of the commands. */
    static GuardedBroker protecting(Path folder, Home home) throws Exception {
        SignetPlugin plugin = plugin(folder, home.root(), "file");
        return new GuardedBroker(folder, configuration -> configuration.registerBrokerPlugin(plugin));
    }

    /**
     * With the plugin, which keeps its policies in the broker, and a home that is ready; the broker has no data yet.
     */
    static GuardedBroker keepingPolicies(Path folder, Home home) throws Exception {
        SignetPlugin plugin = plugin(folder, home.root(), "broker");
        return new GuardedBroker(folder, configuration -> configuration.registerBrokerPlugin(plugin));
    }

    private static GuardedBroker protecting(Path folder, String store, Consumer<Configuration> more) throws Exception {
        CliRun cli = new CliRun(folder);
        cli.ok("identity create broker --dn CN=broker");
        cli.ok("identity create alice --dn CN=alice");
        cli.ok("policy set orders.# --quality privacy --recipient alice");
        SignetPlugin plugin = plugin(folder, folder.resolve("signet-home"), store);
        return new GuardedBroker(folder, configuration -> {
            configuration.registerBrokerPlugin(plugin);
            more.accept(configuration);
        });
    }

    static SignetPlugin plugin(Path folder, Path home, String store) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "correct horse");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of(
                "home",
                home.toString(),
                "identity",
                "broker",
                "password-file",
                password.toString(),
                "policy-store",
                store));
        return plugin;
    }

    static GuardedBroker withoutPlugin(Path folder, Consumer<Configuration> more) throws Exception {
        return new GuardedBroker(folder, more);
    }

    /** With operations in place of those of the plugin. */
    static GuardedBroker answering(Path folder, FakeSignet signet, Consumer<Configuration> more) throws Exception {
        GuardedBroker made = new GuardedBroker(folder, more);
        ManagementService management = made.broker.server().getManagementService();
        management.registerUntypedControl(
                "signet",
                signet,
                new ObjectName(management.getObjectNameBuilder().getActiveMQServerObjectName() + ",component=signet"));
        return made;
    }

    private static SecurityConfiguration users() {
        SecurityConfiguration users = new SecurityConfiguration();
        for (String user : List.of(ADMIN, VIEWER, QUEUES, BROWSER, NOBODY)) {
            users.addUser(user, PASSWORD);
            users.addRole(user, user);
        }
        return users;
    }

    private static Set<Role> roles() {
        Set<CheckType> all = EnumSet.allOf(CheckType.class);
        return new HashSet<>(Set.of(
                role(ADMIN, all),
                role(VIEWER, all),
                role(QUEUES, all),
                role(BROWSER, EnumSet.of(CheckType.BROWSE)),
                role(
                        NOBODY,
                        EnumSet.of(CheckType.CREATE_NON_DURABLE_QUEUE, CheckType.CREATE_ADDRESS, CheckType.CONSUME))));
    }

    /** A role that may do this. */
    static Role role(String name, Set<CheckType> may) {
        return new Role(
                name,
                may.contains(CheckType.SEND),
                may.contains(CheckType.CONSUME),
                may.contains(CheckType.CREATE_DURABLE_QUEUE),
                may.contains(CheckType.DELETE_DURABLE_QUEUE),
                may.contains(CheckType.CREATE_NON_DURABLE_QUEUE),
                may.contains(CheckType.DELETE_NON_DURABLE_QUEUE),
                may.contains(CheckType.MANAGE),
                may.contains(CheckType.BROWSE),
                may.contains(CheckType.CREATE_ADDRESS),
                may.contains(CheckType.DELETE_ADDRESS),
                may.contains(CheckType.VIEW),
                may.contains(CheckType.EDIT));
    }

    String url() {
        return broker.url();
    }

    int port() {
        return broker.port();
    }

    /** Ends the connections of all clients, as a network does that fails. */
    void dropConnections() {
        broker.server()
                .getRemotingService()
                .getConnections()
                .forEach(connection -> connection.getTransportConnection().close());
    }

    void createQueue(String name) throws Exception {
        broker.createQueue(name);
    }

    /** Runs a command as a user of this broker. */
    Result as(String user, String... command) {
        String[] arguments = Arrays.copyOf(command, command.length + 2);
        arguments[command.length] = "--user";
        arguments[command.length + 1] = user;
        return new CliRun(folder)
                .environment("SIGNET_BROKER_PASSWORD", PASSWORD)
                .run(arguments);
    }

    Result status(String user) {
        return as(user, "broker", "status", url());
    }

    Result browse(String user, String... more) {
        String[] command =
                Arrays.copyOf(new String[] {"queue", "browse", "--broker", url(), "--as", "alice"}, 6 + more.length);
        System.arraycopy(more, 0, command, 6, more.length);
        return as(user, command);
    }

    @Override
    public void close() {
        stop();
    }

    void stop() {
        broker.close();
    }
}
