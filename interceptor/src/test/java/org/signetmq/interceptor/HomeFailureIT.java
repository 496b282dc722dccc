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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

final class HomeFailureIT {
    @TempDir
    private Path folder;

    private TestBroker.Setup setup;
    private TestHomes homes;
    private PolicySet policies;

    @BeforeEach
    void goodHome() throws Exception {
        RecordingLogs.forget();
        setup = new TestBroker.Setup(folder);
        homes = setup.homes();
        policies = homes.policies(7, TestHomes.privacy("orders"));
    }

    @Test
    void missingKeyStore_brokerStartsAndRejects() throws Exception {
        Files.delete(homes.broker.identities().resolve("broker.p12"));

        assertStartsAndRejects("identity 'broker'");
    }

    @Test
    void wrongPassword_brokerStartsAndRejects() throws Exception {
        Files.writeString(homes.passwordFile, "another password\n");

        assertStartsAndRejects("broker");
    }

    @Test
    void missingPasswordFile_brokerStartsAndRejects() throws Exception {
        Files.delete(homes.passwordFile);

        assertStartsAndRejects("password");
    }

    @Test
    void missingPolicies_brokerStartsAndRejects() throws Exception {
        Files.delete(homes.broker.policies());

        assertStartsAndRejects("policies.json: does not exist");
    }

    @Test
    void folderInPlaceOfPolicies_brokerStartsAndRejects() throws Exception {
        Files.delete(homes.broker.policies());
        Files.createDirectory(homes.broker.policies());

        assertStartsAndRejects("policies.json: cannot be read");
    }

    @Test
    void unreadablePolicies_brokerStartsAndRejects() throws Exception {
        Files.writeString(homes.broker.policies(), "{ no policies");

        assertStartsAndRejects("policies");
    }

    @Test
    void policiesThatAreNoText_brokerStartsAndRejects() throws Exception {
        Files.write(homes.broker.policies(), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertStartsAndRejects("UTF-8");
    }

    @Test
    void missingHome_brokerStartsAndRejects() throws Exception {
        setup.property("home", folder.resolve("nowhere").toString());

        assertStartsAndRejects("nowhere");
    }

    @Test
    void unknownProperty_brokerStartsAndRejectsNamingTheNearest() throws Exception {
        setup.property("identitty", "broker");

        assertStartsAndRejects("did you mean \"identity\"");
    }

    @Tag(Tier.LONG)
    @Test
    void settingsOfTrust_failUntilTheyAreRightOnce_andThenTheLastOnesStayInForce() throws Exception {
        Path file = Files.writeString(homes.broker.trustSettings(), "{\"schema\": 1, \"revokation\": {}}");
        try (TestBroker broker = setup.start()) {
            assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
            assertThat(broker.state().reason()).contains("trust.json: revokation: unknown key");
            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello"))
                    .isInstanceOf(JMSException.class);

            Files.writeString(file, "{\"schema\": 1, \"curves\": [\"P-256\", \"P-384\"]}");
            awaitState(broker, PluginStatus.State.READY);
            Producers.CORE.send(broker, "orders", "hello");

            Files.writeString(file, "{ no settings");
            awaitState(broker, PluginStatus.State.DEGRADED);
            assertThat(broker.state().reason()).contains("trust: the changed settings are not in force");
            Producers.CORE.send(broker, "orders", "hello");

            Files.writeString(file, "{\"schema\": 1, \"revocation\": {\"crl\": \"fetch\"}}");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(broker.state().reason()).isNull());
        }
    }

    private static void awaitState(TestBroker broker, PluginStatus.State state) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.state().state()).isEqualTo(state));
    }

    private void assertStartsAndRejects(String reason) throws Exception {
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("other")) {

            for (String address : List.of("orders", "other")) {
                assertThatThrownBy(() -> Producers.CORE.send(broker, address, "hello"))
                        .isInstanceOf(JMSException.class)
                        .hasMessageNotContaining(folder.toString());
                assertThat(reader.poll(address)).isNull();
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
    }

    @Test
    void passwordFileThatAllMayChange_brokerStartsAndRejects() throws Exception {
        permit(homes.passwordFile, "rw-rw-rw-");

        assertStartsAndRejects("chmod 600 " + homes.passwordFile);
    }

    @Test
    void trustThatAllMayChange_brokerStartsAndRejects() throws Exception {
        permit(homes.broker.trust(), "rwxrwxrwx");

        assertStartsAndRejects("chmod go-w " + homes.broker.trust());
    }

    @Test
    void certificateThatAllMayChange_brokerStartsAndRejects() throws Exception {
        permit(homes.broker.recipients().resolve("consumer.pem"), "rw-rw-rw-");

        assertStartsAndRejects("chmod go-w " + homes.broker.recipients().resolve("consumer.pem"));
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
        try (TestBroker broker = setup.start()) {
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
        try (TestBroker broker = setup.start()) {
            String reason = String.valueOf(broker.state().reason());

            String command = reason.substring(reason.indexOf("; run: ") + "; run: ".length());
            assertThat(new ProcessBuilder("sh", "-c", command).start().waitFor())
                    .isZero();

            broker.awaitState(PluginStatus.State.READY);
            Producers.CORE.send(broker, "orders", "hello");
        }
    }

    private static void permit(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void keyStoreThatIsMissingAtFirst_isTakenWhenItComes() throws Exception {
        Path keyStore = homes.broker.identities().resolve("broker.p12");
        Path aside = folder.resolve("aside.p12");
        Files.move(keyStore, aside);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);

            Files.move(aside, keyStore);

            broker.awaitState(PluginStatus.State.READY);
            Producers.CORE.send(broker, "orders", "hello");
            assertThat(text(reader.nextBody("orders"), "orders")).isEqualTo("hello");
        }
    }

    @Test
    void changedPolicies_areTakenWhole() throws Exception {
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("late")) {
            Producers.CORE.send(broker, "late", "before");

            policies = homes.policies(8, Policy.integrity("late"));
            Awaitility.await().until(() -> broker.state().policies().version() == 8);
            Producers.CORE.send(broker, "late", "after");

            assertThat(reader.next("late").getType()).isEqualTo((byte) 3);
            assertThat(text(reader.nextBody("late"), "late")).isEqualTo("after");
        }
    }

    @Test
    void badPolicies_leaveTheOldOnesInForceAndShow() throws Exception {
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

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
            assertThat(text(reader.nextBody("orders"), "orders")).isEqualTo("hello");
        }
    }

    @Test
    void stoppedAndStartedBroker_protectsAgain() throws Exception {
        try (TestBroker broker = setup.start()) {
            broker.server().stop();
            assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);

            broker.server().start();

            assertThat(broker.state().state()).isEqualTo(PluginStatus.State.READY);
            assertThat(broker.server().getManagementService().getUntypedControl("signet"))
                    .isNotNull();
            try (QueueReader reader = new QueueReader(broker).queue("orders")) {
                Producers.CORE.send(broker, "orders", "hello");
                assertThat(text(reader.nextBody("orders"), "orders")).isEqualTo("hello");
            }
        }
    }

    private String text(byte[] stored, String address) {
        return homes.text(stored, address, policies);
    }
}
