/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.security.CheckType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.home.Home;
import org.signetmq.testkit.Tier;

/** What a broker answers, and does not answer, to {@code signet broker status}. */
final class BrokerStatusIT {
    @TempDir
    private Path folder;

    @Test
    void readyPlugin_isShown() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            Result result = broker.status(GuardedBroker.ADMIN);

            assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(result.out()).contains("READY", "orders.#");
        }
    }

    @Test
    void policyWhoseRecipientIsGone_isNamed_andExitsWith5() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            Files.delete(folder.resolve("signet-home/recipients/alice.pem"));
            Awaitility.await().until(() -> broker.status(GuardedBroker.ADMIN).exitCode() == ExitCode.DEGRADED);

            Result text = broker.status(GuardedBroker.ADMIN);
            Result json = broker.as(GuardedBroker.ADMIN, "broker", "status", broker.url(), "--json");

            assertThat(text.out())
                    .containsPattern("state +DEGRADED")
                    .containsPattern("reason +1 of 1 policies cannot be applied")
                    .containsPattern(
                            "policy +orders\\.#: messages are rejected: recipient: no certificate named 'alice'")
                    .contains("; put a certificate that is valid into " + folder.resolve("signet-home/recipients"));
            assertThat(json.exitCode()).isEqualTo(ExitCode.DEGRADED);
            JsonNode finding = json.json().path("policy-findings").path(0);
            assertThat(finding.path("pattern").asText()).isEqualTo("orders.#");
            assertThat(finding.path("what").asText()).contains("'alice'");
            assertThat(finding.path("mend").asText()).isNotBlank();
        }
    }

    @Test
    void missingOrEndedList_isNamed_withANewListAsRemedy_notAnotherIdentity() throws Exception {
        CliRun signet = new CliRun(folder);
        Path home = folder.resolve("signet-home");
        Path list = home.resolve("crl/corp.pem");
        try (OpensslIssuer issuer = new OpensslIssuer(folder.resolve("ca"), "corp")) {
            signet.ok("trust add corp --in", issuer.root().toString());
            for (String name : new String[] {"broker", "sam"}) {
                signet.ok("identity request", name, "--dn", "CN=" + name, "--out", name + ".csr");
                Path certificate = issuer.sign(folder.resolve(name + ".csr"));
                signet.ok("identity import", name, "--in", certificate.toString());
            }
            signet.ok("policy set orders --quality privacy --recipient sam");
            Files.writeString(home.resolve("trust.json"), "{\"schema\": 1, \"revocation\": {\"fail\": \"hard\"}}");
            String remedy = "no valid list or OCSP answer is known; .*; put a new list of the issuer into crl/ with "
                    + "signet trust add, or an OCSP answer into ocsp/\n";
            issuer.list(list, "20200101000000Z", "20400101000000Z");
            try (GuardedBroker broker = GuardedBroker.protecting(folder, new Home(home))) {
                assertThat(broker.status(GuardedBroker.ADMIN).exitCode()).isZero();

                Files.delete(list);
                Awaitility.await()
                        .until(() -> broker.status(GuardedBroker.ADMIN).exitCode() == ExitCode.DEGRADED);
                assertThat(broker.status(GuardedBroker.ADMIN).out())
                        .containsPattern("policy +orders: .*'broker' cannot sign: certificate CN=broker .*" + remedy)
                        .containsPattern("policy +orders: .*recipient: .*certificate CN=sam .*" + remedy)
                        .doesNotContain("give the broker an identity", "put a certificate");

                issuer.list(list, "20200101000000Z", "20200108000000Z");
                String ended = "the list of CN=corp in crl/ ended on 2020-01-08T00:00:00Z; ";
                Awaitility.await()
                        .untilAsserted(() -> assertThat(
                                        broker.status(GuardedBroker.ADMIN).out())
                                .containsPattern("'broker' cannot sign: .*" + ended + remedy)
                                .containsPattern("recipient: .*" + ended + remedy));

                issuer.list(list, "20200101000000Z", "20400101000000Z");
                Awaitility.await()
                        .until(() -> broker.status(GuardedBroker.ADMIN).exitCode() == ExitCode.OK);
            }
        }
    }

    @Test
    void brokenPolicyFile_isShown_andExitsWith5() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            Files.writeString(folder.resolve("signet-home/policies.json"), "{ no policies");
            Awaitility.await().until(() -> broker.status(GuardedBroker.ADMIN).exitCode() == ExitCode.DEGRADED);

            assertThat(broker.status(GuardedBroker.ADMIN).out())
                    .contains("DEGRADED", "cannot be used, version 1 stays in force", "policy problem");
        }
    }

    @Test
    void rejectionOfUnmatchedAddresses_isShownWhenTheBrokerHasIt() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            String rejected = "messages of other addresses are rejected (unmatched: reject)";
            assertThat(broker.status(GuardedBroker.ADMIN).out()).doesNotContain(rejected);

            new CliRun(folder).ok("policy unmatched reject");

            Awaitility.await()
                    .until(() -> broker.status(GuardedBroker.ADMIN).out().contains(rejected));
        }
    }

    @Test
    void userWhoMayNotManage_isToldThatHeIsRejected() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            Result result = broker.status(GuardedBroker.NOBODY);

            assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(result.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("signet: error: broker " + broker.url() + ": rejected user 'nobody': ")
                    .contains("MANAGE");
        }
    }

    @Test
    void brokerAndUserOfTheEnvironment_areThoseOfEachCommand() throws Exception {
        try (GuardedBroker broker = GuardedBroker.keepingPolicies(folder)) {
            broker.createQueue("orders.eu");
            CliRun signet = new CliRun(folder)
                    .environment("SIGNET_BROKER", broker.url())
                    .environment("SIGNET_BROKER_USER", GuardedBroker.ADMIN)
                    .environment("SIGNET_BROKER_PASSWORD", GuardedBroker.PASSWORD);

            assertThat(signet.out("status")).contains("READY");
            assertThat(signet.out("broker seal orders.eu --dry-run")).startsWith("orders.eu: 0 would be sealed");
            assertThat(signet.ok("queue browse orders.eu --as alice").err()).contains("no messages");
            assertThat(signet.out("doctor keys")).contains("complete");
            assertThat(signet.run("doctor --verbose").out()).contains("broker " + broker.url() + " answers");
            assertThat(signet.ok("policy list").err()).contains("SIGNET_BROKER names broker " + broker.url());
            assertThat(signet.ok("policy list --home signet-home").err()).doesNotContain("SIGNET_BROKER");
            Result other = signet.run("broker status --broker tcp://127.0.0.1:1 --user carl");
            assertThat(other.exitCode()).isEqualTo(ExitCode.BROKER);
            signet.environment("SIGNET_BROKER", broker.url() + "," + broker.url());
            assertThat(signet.run("status").exitCode()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void rejectedLogin_isExplained_withAHintOnlyWhereItHelps() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            CliRun signet = new CliRun(folder).environment("SIGNET_BROKER_PASSWORD", "wrong");

            Result wrong = signet.run("broker status --broker", broker.url(), "--user", GuardedBroker.ADMIN);

            assertThat(wrong.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(wrong.err())
                    .isEqualTo("signet: error: broker " + broker.url()
                            + ": rejected user 'admin': the user or the password is wrong\n");
            assertThat(signet.fails(ExitCode.CONFIGURATION, "broker status --broker", broker.url()))
                    .contains("hint: --user or SIGNET_BROKER_USER")
                    .doesNotContain("subject DN");
        }
    }

    @Test
    void certificateNearItsEnd_isShownInHours_andNotAfterItsRenewal() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder)) {
            CliRun signet = new CliRun(folder);
            signet.ok("identity renew alice --days 1");
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(broker.status(GuardedBroker.ADMIN).out())
                                    .contains("recipients/alice ends in 23 hours, at "));
            assertThat(signet.out("doctor")).contains("alice.pem ends in 23 hours, at ");

            signet.ok("identity renew alice");

            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(broker.status(GuardedBroker.ADMIN).out()).doesNotContain("ends in"));
            assertThat(signet.out("doctor")).doesNotContain("ends in");
        }
    }

    @Test
    void userWhoMayNotView_isToldThatHeIsRejected_notThatThereIsNoPlugin() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder, configuration -> {
            configuration.setManagementMessageRbac(true);
            configuration.putSecurityRoles(
                    "mops.signet.#",
                    new HashSet<>(Set.of(GuardedBroker.role(GuardedBroker.ADMIN, EnumSet.of(CheckType.EDIT)))));
        })) {
            Result result = broker.status(GuardedBroker.ADMIN);

            assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(result.err())
                    .contains(": rejected user 'admin': ", "VIEW")
                    .doesNotContain("has no Signet");
        }
    }

    @Test
    void brokerWithoutPlugin_exitsWith1() throws Exception {
        try (GuardedBroker broker = GuardedBroker.withoutPlugin(folder, configuration -> {})) {
            Result result = broker.status(GuardedBroker.ADMIN);

            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err()).contains("has no Signet, messages are stored as they come");
        }
    }

    @Tag(Tier.LONG)
    @Test
    void brokerWithItsOwnManagementAddress_answersThere() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(
                folder, configuration -> configuration.setManagementAddress(SimpleString.of("ours.management")))) {
            Result silent = broker.status(GuardedBroker.ADMIN);
            Result answered = broker.as(
                    GuardedBroker.ADMIN, "broker", "status", broker.url(), "--management-address", "ours.management");

            assertThat(silent.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(silent.err()).contains("activemq.management", "--management-address");
            assertThat(answered.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(answered.out()).contains("READY");
        }
    }
}
