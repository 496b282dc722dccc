/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.core.config.FileDeploymentManager;
import org.apache.activemq.artemis.core.config.impl.FileConfiguration;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.EmbeddedBroker;

/** The four users of docs/users-and-rights.md, with the settings that it shows. */
final class UsersAndRightsIT {
    private static final Path DOCUMENT = Path.of("../docs/users-and-rights.md");
    private static final String PASSWORD = "a secret";
    private static final Map<String, String> ROLES =
            Map.of("anna", "security", "otto", "audit", "admin", "amq", "shop", "shop");

    @TempDir
    private Path folder;

    private FileConfiguration documented;

    @BeforeEach
    void readDocument() throws Exception {
        documented = configuration(shown());
    }

    /** Returns the settings that the document shows. */
    private static String shown() throws IOException {
        return Files.readString(DOCUMENT).split("```xml\n", -1)[1].split("```", -1)[0];
    }

    private FileConfiguration configuration(String core) throws Exception {
        return configuration(Files.writeString(
                folder.resolve("documented.xml"),
                "<configuration xmlns=\"urn:activemq\"><core xmlns=\"urn:activemq:core\">" + core
                        + "</core></configuration>"));
    }

    private static FileConfiguration configuration(Path xml) throws Exception {
        FileConfiguration configuration = new FileConfiguration();
        FileDeploymentManager files = new FileDeploymentManager(xml.toUri().toString());
        files.addDeployable(configuration);
        files.readConfiguration();
        return configuration;
    }

    /** The settings of {@code artemis create}, as the document has them without those of installing. */
    private static String created() throws IOException {
        return shown().replaceAll("(?s) *<security-setting match=\"mops.signet.*?</security-setting>\n", "")
                .replaceAll(" *<permission .* roles=\"audit,security\"/>\n", "");
    }

    @Test
    void install_writesTheSettingsOfTheDocument_andUninstallTakesThemAway() throws Exception {
        for (String name : new String[] {"etc", "lib", "bin"}) {
            Files.createDirectories(folder.resolve("artemis").resolve(name));
        }
        Files.createFile(folder.resolve("artemis/bin/artemis"));
        Path xml = folder.resolve("artemis/etc/broker.xml");
        String before = "<configuration xmlns=\"urn:activemq\">\n<core xmlns=\"urn:activemq:core\">\n" + created()
                + "</core>\n</configuration>\n";
        Files.writeString(xml, before);
        CliRun cli = new CliRun(folder);
        String[] install = {"broker", "install", "artemis", "--admin-role", "security", "--viewer-role", "audit"};

        Result installed = cli.ok(install);
        Result again = cli.ok(install);

        assertThat(installed.err()).doesNotContain("management-message-rbac");
        assertThat(again.out()).contains("nothing to do");
        Path without = Files.writeString(
                folder.resolve("installed.xml"),
                Files.readString(xml).replaceAll("(?s)<broker-plugins>.*</broker-plugins>", ""));
        assertThat(configuration(without).getSecurityRoles()).isEqualTo(documented.getSecurityRoles());
        cli.ok("broker uninstall artemis");
        assertThat(xml).hasContent(before);
    }

    @Test
    void eachUser_mayDoWhatTheDocumentSays_andNoMore() throws Exception {
        SecurityConfiguration users = new SecurityConfiguration();
        ROLES.forEach((user, role) -> {
            users.addUser(user, PASSWORD);
            users.addRole(user, role);
        });
        new CliRun(folder).ok("identity create broker --dn CN=broker");
        try (EmbeddedBroker broker = new EmbeddedBroker("")) {
            broker.storingIn(folder.resolve("data"))
                    .securedFor(users)
                    .configuration()
                    .setManagementMessageRbac(documented.isManagementMessageRbac());
            Map<String, Set<Role>> roles = documented.getSecurityRoles();
            roles.forEach(broker.configuration()::putSecurityRoles);
            broker.configuration()
                    .registerBrokerPlugin(GuardedBroker.plugin(folder, folder.resolve("signet-home"), "broker"));
            broker.start();
            broker.createQueue("orders.eu");

            String[] set = {"policy", "set", "orders.#", "--quality", "integrity", "--broker", broker.url()};
            String[] list = {"policy", "list", "--broker", broker.url()};
            String[] status = {"broker", "status", broker.url()};
            String[] doctor = {"doctor", "--verbose", "--broker", broker.url()};
            assertThat(as("anna", set).err()).isEmpty();
            for (String reader : new String[] {"anna", "otto"}) {
                assertThat(as(reader, list).out()).contains("orders.#");
                assertThat(as(reader, status).out()).contains("READY", "Artemis 2.");
                assertThat(as(reader, doctor).out())
                        .contains("ok    broker security: ", "ok    broker management: ")
                        .doesNotContain("rejected user");
            }
            String[] seal = {"broker", "seal", "orders.eu", "--broker", broker.url()};
            assertThat(as("anna", seal).out()).contains("orders.eu: 0 sealed");
            assertThat(as("otto", seal).exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            String[] change = {"policy", "set", "orders.#", "--quality", "none", "--broker", broker.url()};
            assertThat(as("otto", change).exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            for (String other : new String[] {"admin", "shop"}) {
                assertThat(as(other, list).exitCode()).isEqualTo(ExitCode.CONFIGURATION);
                assertThat(as(other, set).exitCode()).isEqualTo(ExitCode.CONFIGURATION);
                assertThat(as(other, status).exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            }

            assertThat(call(broker, "admin", "getQueueNames")).isTrue();
            assertThat(call(broker, "admin", "createAddress", "prices", "ANYCAST"))
                    .isTrue();
            assertThat(call(broker, "anna", "createAddress", "more", "ANYCAST")).isFalse();
            assertThat(call(broker, "otto", "getQueueNames")).isFalse();
            for (String user : new String[] {"admin", "anna", "otto"}) {
                assertThat(call(broker, user, "addUser", "eve", "eve", "security", true))
                        .isFalse();
            }
            assertThatThrownBy(() -> call(broker, "shop", "getQueueNames")).isInstanceOf(ActiveMQException.class);

            for (String sender : new String[] {"shop", "admin"}) {
                try (Connection shop = new Connection(broker, sender)) {
                    shop.session.createProducer("orders.eu").send(shop.session.createMessage(true));
                    shop.session.start();
                    assertThat(shop.session.createConsumer("orders.eu").receive(30_000))
                            .isNotNull();
                }
            }
            try (Connection anna = new Connection(broker, "anna")) {
                assertThatThrownBy(() -> anna.session.createConsumer("orders.eu"))
                        .isInstanceOf(ActiveMQException.class);
            }
        }
    }

    private Result as(String user, String... command) {
        String[] arguments = Arrays.copyOf(command, command.length + 2);
        arguments[command.length] = "--user";
        arguments[command.length + 1] = user;
        return new CliRun(folder)
                .environment("SIGNET_BROKER_PASSWORD", PASSWORD)
                .run(arguments);
    }

    /** Calls an operation of the broker, and returns whether it was permitted. */
    private static boolean call(EmbeddedBroker broker, String user, String operation, Object... arguments)
            throws Exception {
        try (Connection connection = new Connection(broker, user)) {
            connection.session.start();
            ClientRequestor requestor = new ClientRequestor(connection.session, "activemq.management");
            ClientMessage request = connection.session.createMessage(false);
            ManagementHelper.putOperationInvocation(request, "broker", operation, arguments);
            ClientMessage answer = requestor.request(request, 30_000);
            boolean done = ManagementHelper.hasOperationSucceeded(answer);
            if (!done) {
                assertThat(ManagementHelper.getResult(answer).toString()).contains("does not have permission");
            }
            return done;
        }
    }

    private static final class Connection implements AutoCloseable {
        private final ServerLocator locator;
        private final ClientSession session;

        private Connection(EmbeddedBroker broker, String user) throws Exception {
            locator = ActiveMQClient.createServerLocator(broker.url());
            ClientSessionFactory factory = locator.createSessionFactory();
            session = factory.createSession(user, PASSWORD, false, true, true, false, 1);
        }

        @Override
        public void close() {
            locator.close();
        }
    }
}
