/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.Policy;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

final class HomeFailureIT extends OneBroker {

    @BeforeEach
    void goodHome() throws Exception {
        homes.policies(7, TestHomes.privacy("orders"));
    }

    /** Damages a good home. */
    @FunctionalInterface
    private interface Damage {
        void of(HomeFailureIT test) throws IOException;
    }

    private static Arguments damage(String reason, Damage damage) {
        return Arguments.of(reason, damage);
    }

    private Path ofBroker(String name) {
        return homes.broker.root().resolve(name);
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                damage("identity 'broker'", test -> Files.delete(test.ofBroker("identities/broker.p12"))),
                damage("broker", test -> Files.writeString(test.homes.passwordFile, "another password\n")),
                damage("password", test -> Files.delete(test.homes.passwordFile)),
                damage("policies.json: does not exist", test -> Files.delete(test.ofBroker("policies.json"))),
                damage("policies.json: cannot be read", test -> {
                    Files.delete(test.ofBroker("policies.json"));
                    Files.createDirectory(test.ofBroker("policies.json"));
                }),
                damage("policies", test -> Files.writeString(test.ofBroker("policies.json"), "{ no policies")),
                damage(
                        "UTF-8",
                        test -> Files.write(test.ofBroker("policies.json"), new byte[] {(byte) 0xff, (byte) 0xfe, 0})),
                damage(
                        "nowhere",
                        test -> test.setup.property(
                                "home", test.folder.resolve("nowhere").toString())),
                damage("did you mean \"identity\"", test -> test.setup.property("identitty", "broker")),
                damage("chmod 600 FOLDER/password", test -> permit(test.homes.passwordFile, "rw-rw-rw-")),
                damage("chmod go-w FOLDER/broker-home/trust", test -> permit(test.ofBroker("trust"), "rwxrwxrwx")),
                damage(
                        "chmod go-w FOLDER/broker-home/recipients/consumer.pem",
                        test -> permit(test.ofBroker("recipients/consumer.pem"), "rw-rw-rw-")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void brokerWithADamagedHome_startsAndRejects(String expected, Damage damage) throws Exception {
        damage.of(this);
        String reason = expected.replace("FOLDER", folder.toString());
        TestBroker broker = start("orders", "other");

        for (String address : List.of("orders", "other")) {
            assertThatThrownBy(() -> Producers.CORE.send(broker, address, "hello"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageNotContaining(folder.toString());
            assertThat(broker.poll(address)).isNull();
        }

        assertThat(broker.server().isStarted()).isTrue();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
        assertThat(broker.state().reason()).contains(reason);
        assertThat(RecordingLogs.lines())
                .filteredOn(line -> line.contains(reason) && !line.contains("\"message-rejected\""))
                .singleElement()
                .asString()
                .startsWith("ERROR");
    }

    @Tag(Tier.LONG)
    @Test
    void settingsOfTrust_failUntilTheyAreRightOnce_andThenTheLastOnesStayInForce() throws Exception {
        Path file = Files.writeString(homes.broker.trustSettings(), "{\"schema\": 1, \"revokation\": {}}");
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
        assertThat(broker.state().reason()).contains("trust.json: revokation: unknown key");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello")).isInstanceOf(JMSException.class);

        Files.writeString(file, "{\"schema\": 1, \"curves\": [\"P-256\", \"P-384\"]}");
        broker.awaitState(PluginStatus.State.READY);
        Producers.CORE.send(broker, "orders", "hello");

        Files.writeString(file, "{ no settings");
        broker.awaitState(PluginStatus.State.DEGRADED);
        assertThat(broker.state().reason()).contains("trust: the changed settings are not in force");
        Producers.CORE.send(broker, "orders", "hello");

        Files.writeString(file, "{\"schema\": 1, \"revocation\": {\"crl\": \"fetch\"}}");
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.state().reason()).isNull());
    }

    static Stream<Arguments> opened() {
        return Tier.cases(
                2,
                Arguments.of("password", "rw-rw-rw-"),
                Arguments.of("broker-home/identities", "rwxrwxrwx"),
                Arguments.of("broker-home/identities/broker.p12", "rw-r--r--"),
                Arguments.of("broker-home", "rwxrwxrwx"),
                Arguments.of("broker-home/trust", "rwxrwxrwx"),
                Arguments.of("broker-home/policies.json", "rw-rw-rw-"));
    }

    @ParameterizedTest
    @MethodSource("opened")
    void openedWhileTheBrokerRuns_rejects_andTheCommandAloneMendsIt(String name, String mode) throws Exception {
        Path path = homes.passwordFile.resolveSibling(name);
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(path);
        TestBroker broker = start();
        Producers.CORE.send(broker, "orders", "before");

        permit(path, mode);
        broker.awaitState(PluginStatus.State.FAILED);
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(Rejections.WITHOUT_PATH);

        Files.setPosixFilePermissions(path, before);
        broker.awaitState(PluginStatus.State.READY);
        Producers.CORE.send(broker, "orders", "after");
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {
                "password, rw-r--r--",
                "broker-home/identities/broker.p12, rw-rw-rw-",
                "broker-home/identities, rwxrwxrwx",
                "broker-home/recipients/consumer.pem, rw-rw-rw-",
                "broker-home/policies.json, rw-rw-rw-"
            })
    void openBeforeTheBrokerStarts_theCommandOfTheReasonMendsItWithinThreeSeconds(String name, String mode)
            throws Exception {
        permit(homes.passwordFile.resolveSibling(name), mode);
        TestBroker broker = start();
        String reason = String.valueOf(broker.state().reason());

        String command = reason.substring(reason.indexOf("; run: ") + "; run: ".length());
        assertThat(new ProcessBuilder("sh", "-c", command).start().waitFor()).isZero();

        broker.awaitState(PluginStatus.State.READY);
        Producers.CORE.send(broker, "orders", "hello");
    }

    private static void permit(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void keyStoreThatIsMissingAtFirst_isTakenWhenItComes() throws Exception {
        Path keyStore = homes.broker.identities().resolve("broker.p12");
        Path aside = folder.resolve("aside.p12");
        Files.move(keyStore, aside);
        TestBroker broker = start("orders");
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);

        Files.move(aside, keyStore);

        broker.awaitState(PluginStatus.State.READY);
        Producers.CORE.send(broker, "orders", "hello");
        broker.assertNext("orders", "hello");
    }

    @Test
    void changedPolicies_areTakenWhole() throws Exception {
        TestBroker broker = start("late");
        Producers.CORE.send(broker, "late", "before");

        homes.policies(8, Policy.integrity("late"));
        Awaitility.await().until(() -> broker.state().policies().version() == 8);
        Producers.CORE.send(broker, "late", "after");

        assertThat(broker.next("late").getType()).isEqualTo((byte) 3);
        broker.assertNext("late", "after");
    }

    @Test
    void badPolicies_leaveTheOldOnesInForceAndShow() throws Exception {
        TestBroker broker = start("orders");

        Files.writeString(homes.broker.policies(), "{\"schema\": 1, \"version\": 9, \"policies\": [{}]}");
        Awaitility.await().until(() -> broker.state().policies().problem() != null);
        Producers.CORE.send(broker, "orders", "hello");

        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.DEGRADED);
        assertThat(broker.state().reason()).contains("version 7 stays in force");
        assertThat(broker.state().policies().version()).isEqualTo(7);
        assertThat(broker.state().policies().problem()).contains("policies[0]");
        assertThat(RecordingLogs.lines())
                .filteredOn(line -> line.contains("policies[0]"))
                .hasSize(1);
        broker.assertNext("orders", "hello");
    }

    @Test
    void stoppedAndStartedBroker_protectsAgain() throws Exception {
        TestBroker broker = start();
        broker.server().stop();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);

        broker.server().start();

        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.READY);
        assertThat(broker.server().getManagementService().getUntypedControl("signet"))
                .isNotNull();
        broker.createQueue("orders");
        Producers.CORE.send(broker, "orders", "hello");
        broker.assertNext("orders", "hello");
    }
}
