/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.management.ObjectName;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.FileDeploymentManager;
import org.apache.activemq.artemis.core.config.impl.FileConfiguration;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.management.ManagementService;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.server.plugin.impl.LoggingActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Tier;

/** {@code signet doctor --broker} at real brokers. */
final class DoctorBrokerIT {
    @TempDir
    private Path folder;

    /** What the plugin looks for is right in this broker. */
    private static void makeGood(Configuration configuration) {
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setDeadLetterAddress(SimpleString.of("DLQ"))
                        .setExpiryAddress(SimpleString.of("ExpiryQueue")));
        for (String name : List.of("DLQ", "ExpiryQueue")) {
            configuration.addAddressSetting(name, new AddressSettings().setMaxDeliveryAttempts(-1));
            configuration.addQueueConfiguration(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
        }
        configuration.putSecurityRoles(
                "mops.signet.#",
                Set.of(
                        GuardedBroker.role("policies", EnumSet.of(CheckType.VIEW, CheckType.EDIT)),
                        GuardedBroker.role(GuardedBroker.ADMIN, EnumSet.of(CheckType.VIEW))));
        configuration.setManagementMessageRbac(true);
        configuration.putSecurityRoles("mops.broker.#", Set.of());
    }

    private static Result doctor(GuardedBroker broker, String user, String... more) {
        String[] command = new String[4 + more.length];
        command[0] = "doctor";
        command[1] = "--verbose";
        command[2] = "--broker";
        command[3] = broker.url();
        System.arraycopy(more, 0, command, 4, more.length);
        return broker.as(user, command);
    }

    private static void assertPlain(Result result) {
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}&&[^\\n]]")
                .doesNotContain("\tat ");
    }

    @Test
    void goodBroker_isRight() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder, DoctorBrokerIT::makeGood)) {
            Result result = doctor(broker, GuardedBroker.ADMIN);

            assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).startsWith("ok    "));
            assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(result.out())
                    .contains("\nok    broker: broker " + broker.url() + " answers\n")
                    .contains("\nok    broker versions: plugin ", ", Artemis 2.")
                    .contains("\nok    broker clock: ", "\nok    broker plugin order: ", "\nok    broker acceptors: ");
            assertPlain(result);
        }
    }

    /** The settings that artemis create writes, before and after installing. */
    @Tag(Tier.LONG)
    @Test
    void brokerAsItIsCreated_isRightWithDeadLetterSettings() throws Exception {
        Path instance = folder.resolve("artemis");
        for (String name : List.of("etc", "lib", "bin")) {
            Files.createDirectories(instance.resolve(name));
        }
        Files.createFile(instance.resolve("bin/artemis"));
        Path xml = Files.writeString(instance.resolve("etc/broker.xml"), """
                <configuration xmlns="urn:activemq">
                   <core xmlns="urn:activemq:core">
                      <address-settings>
                         <address-setting match="#">
                            <dead-letter-address>DLQ</dead-letter-address>
                            <expiry-address>ExpiryQueue</expiry-address>
                         </address-setting>
                      </address-settings>
                      <addresses>
                         <address name="DLQ"><anycast><queue name="DLQ"/></anycast></address>
                         <address name="ExpiryQueue"><anycast><queue name="ExpiryQueue"/></anycast></address>
                      </addresses>
                   </core>
                </configuration>
                """);
        FileConfiguration created = read(xml);
        try (GuardedBroker broker = GuardedBroker.protecting(
                Files.createDirectory(folder.resolve("before")), configuration -> take(created, configuration))) {
            Result before = doctor(broker, GuardedBroker.ADMIN);

            assertThat(before.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(before.out())
                    .contains("\nWRONG broker dead letters: 'DLQ'", "\nWRONG broker dead letters: 'Exp");
        }
        CliRun signet = new CliRun(folder);
        Result installed = signet.ok("broker install artemis --admin-role security --dead-letter-settings");
        assertThat(installed.err()).doesNotContain("--dead-letter-settings");
        FileConfiguration settled = read(xml);
        try (GuardedBroker broker = GuardedBroker.protecting(
                Files.createDirectory(folder.resolve("after")), configuration -> take(settled, configuration))) {
            Result after = doctor(broker, GuardedBroker.ADMIN);

            assertThat(after.exitCode()).as(after.out()).isEqualTo(ExitCode.OK);
            assertThat(after.out()).contains("\nok    broker dead letters: ");
        }
    }

    private static FileConfiguration read(Path xml) throws Exception {
        Path alone = Files.writeString(
                xml.resolveSibling("without-plugins.xml"),
                Files.readString(xml).replaceAll("(?s)<broker-plugins>.*</broker-plugins>", ""));
        FileConfiguration configuration = new FileConfiguration();
        FileDeploymentManager files = new FileDeploymentManager(alone.toUri().toString());
        files.addDeployable(configuration);
        files.readConfiguration();
        return configuration;
    }

    private static void take(FileConfiguration from, Configuration into) {
        into.setAddressSettings(from.getAddressSettings());
        into.setAddressConfigurations(from.getAddressConfigurations());
    }

    @Test
    void faultsOfTheBroker_areListed_andExitWith1() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder, configuration -> {
            makeGood(configuration);
            configuration.addAddressSetting("DLQ", new AddressSettings());
            configuration.getBrokerMessagePlugins().add(0, new LoggingActiveMQServerPlugin());
            configuration.setManagementMessageRbac(false);
        })) {
            Result text = doctor(broker, GuardedBroker.ADMIN);
            Result json = doctor(broker, GuardedBroker.ADMIN, "--json");

            assertThat(text.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(text.out())
                    .contains("\nWRONG broker plugin order: plugins before Signet receive messages in clear: ")
                    .contains("; make Signet's <broker-plugin> the first in broker.xml")
                    .contains("\nWRONG broker dead letters: 'DLQ', for dead letters of 'orders.#', ")
                    .contains("\nwarn  broker management: management-message-rbac is false, ");
            assertPlain(text);
            assertThat(json.exitCode()).isEqualTo(ExitCode.FAILURE);
            JsonNode checks = json.json().path("checks");
            assertThat(checks.findValuesAsText("area")).contains("home", "broker", "broker plugin order");
        }
    }

    @Test
    void userWithoutTheRight_isWrong_withARemedy() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder, DoctorBrokerIT::makeGood)) {
            Result nobody = doctor(broker, GuardedBroker.NOBODY);

            assertThat(nobody.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(nobody.out())
                    .contains("\nWRONG broker: broker " + broker.url() + ": rejected user 'nobody': ")
                    .contains("\nok    policies: ");
            assertPlain(nobody);
        }
    }

    @Test
    void brokerWithoutPlugin_isWrong() throws Exception {
        try (GuardedBroker broker = GuardedBroker.withoutPlugin(folder, configuration -> {})) {
            Result result = doctor(broker, GuardedBroker.ADMIN);

            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.out())
                    .contains("WRONG broker: broker " + broker.url()
                            + ": has no Signet, messages are stored as they come;" + " run signet broker install")
                    .doesNotContain("broker clock");
            assertPlain(result);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void otherManagementAddress_isAnOption() throws Exception {
        Files.createDirectory(folder.resolve("signet-home"));
        try (GuardedBroker broker = answering(
                new Fake("{\"time\":\"" + Instant.now() + "\"}"),
                configuration -> configuration.setManagementAddress(SimpleString.of("ours.management")))) {
            Result silent = doctor(broker, GuardedBroker.ADMIN);
            Result answered = doctor(broker, GuardedBroker.ADMIN, "--management-address", "ours.management");

            assertThat(silent.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(silent.out()).contains("WRONG broker: ", "activemq.management", "--management-address");
            assertThat(answered.out()).contains("ok    broker: ");
        }
    }

    /** A control with one operation. */
    public static final class Fake {
        private final String answer;

        Fake(String answer) {
            this.answer = answer;
        }

        public String listFindings() {
            return answer;
        }
    }

    /** A control of an earlier version. */
    public static final class Earlier {
        public String getState() {
            return "READY";
        }
    }

    private GuardedBroker answering(Object control, Consumer<Configuration> more) throws Exception {
        return GuardedBroker.withoutPlugin(folder, configuration -> {
            more.accept(configuration);
            configuration.registerBrokerPlugin(new ActiveMQServerPlugin() {
                @Override
                public void registered(ActiveMQServer server) {
                    ManagementService management = server.getManagementService();
                    try {
                        management.registerUntypedControl(
                                "signet",
                                control,
                                new ObjectName(management.getObjectNameBuilder().getActiveMQServerObjectName()
                                        + ",component=signet"));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            });
        });
    }

    private Result answered(Object control) throws Exception {
        Files.createDirectories(folder.resolve("signet-home"));
        try (GuardedBroker broker = answering(control, configuration -> {})) {
            Result result = doctor(broker, GuardedBroker.ADMIN);
            assertPlain(result);
            return result;
        }
    }

    @Test
    void pluginOfAnEarlierVersion_isAWarning() throws Exception {
        Result result = answered(new Earlier());

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out()).contains("\nwarn  broker: ", "its Signet is of an earlier version");
    }

    @Test
    void pluginOfAnotherVersion_isAWarning() throws Exception {
        Result result = answered(new Fake("{\"version\":\"0.1\",\"artemis\":\"2.44.0\",\"time\":\"" + Instant.now()
                + "\",\"areas\":[\"keys\"],\"findings\":[]}"));

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.out())
                .contains("\nwarn  broker versions: plugin 0.1, Artemis 2.44.0, but this program is of version ")
                .contains("\nok    broker keys: nothing found");
    }

    @Test
    void clocksApart_areWrong() throws Exception {
        for (int seconds : new int[] {-3600, 3600}) {
            Result result = answered(new Fake("{\"version\":\"unknown\",\"artemis\":\"2.44.0\",\"time\":\""
                    + Instant.now().plusSeconds(seconds) + "\"}"));

            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.out())
                    .containsPattern("\nWRONG broker clock: the clock of the broker is 3[56][0-9][0-9] seconds "
                            + (seconds < 0 ? "behind" : "ahead of"));
        }
    }

    @Test
    void hostileAnswers_areLinesWithoutControlCharacters() throws Exception {
        String hostile = "\\u001b[2J\\r\\n\\u202e" + "x".repeat(10_000);
        Result result = answered(new Fake(
                "{\"version\":\"H\",\"artemis\":\"H\",\"time\":\"H\",\"areas\":[\"H\",{},7],\"findings\":[{\"area\":\"H\",\"level\":\"H\",\"what\":\"H\",\"remedy\":\"H\"},{},7,null]}"
                        .replace("H", hostile)));

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(7000));
        for (String answer : List.of("", "[]", "null", "no json", "{\"findings\":{\"a\":1}}", "[".repeat(10_000))) {
            Result odd = answered(new Fake(answer));
            assertThat(odd.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(odd.out()).contains("\nWRONG broker");
        }
    }
}
