/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** Policies of published brokers, changed from another place while the brokers run. */
@Tag(Tier.LONG)
final class PolicyNetworkIT {
    @TempDir
    private Path folder;

    private static Run policy(Signet signet, BrokerInstance broker, String... command) throws IOException {
        List<String> whole = new ArrayList<>(List.of("policy"));
        whole.addAll(List.of(command));
        whole.addAll(List.of("--broker", broker.url(), "--user", BrokerInstance.USER));
        return signet.in("no-home", whole.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.testkit.Distribution#tested")
    void policiesInTheBroker_areChangedWhileItRuns_andOutliveIt(Distribution distribution) throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        try (BrokerInstance broker = BrokerInstance.create(distribution, folder.resolve("broker"))) {
            byte[] original = Files.readAllBytes(broker.brokerXml());
            Run installed = signet.install(broker, "--admin-role", BrokerInstance.ROLE, "--viewer-role", "watchers");
            assertThat(installed.ok().err()).contains("the broker takes over the policies of ");
            broker.start();

            assertThat(policy(signet, broker, "list").ok().out()).contains("orders", "privacy");
            Run set = policy(signet, broker, "set", "prices.#", "--quality", "integrity")
                    .ok();
            Run added =
                    policy(signet, broker, "add-recipient", "orders", "broker").ok();
            Run rejected = policy(signet, broker, "set", "cards", "--quality", "privacy", "--recipient", "erin");
            policy(signet, broker, "export", "--out", folder.resolve("all.json").toString())
                    .ok();
            broker.stop();
            broker.start();

            assertThat(set.out()).contains("prices.#: integrity, policies 1 -> 2");
            assertThat(added.out()).contains("orders: recipients added: broker, policies 2 -> 3");
            assertThat(rejected.exitCode()).isEqualTo(1);
            assertThat(rejected.err()).contains("--recipient: no certificate named 'erin'");
            assertThat(policy(signet, broker, "list").ok().err()).contains("version 3 by 'admin' from ");
            assertThat(policy(signet, broker, "explain", "prices.eu").ok().out())
                    .contains("integrity");
            assertThat(policy(
                                    signet,
                                    broker,
                                    "import",
                                    folder.resolve("all.json").toString())
                            .ok()
                            .out())
                    .contains("2 policies, nothing to do");
            assertThat(policy(signet, broker, "diff", folder.resolve("all.json").toString())
                            .exitCode())
                    .isZero();
            broker.stop();
            signet.in("broker-home", "broker", "uninstall", broker.folder().toString())
                    .ok();
            assertThat(Files.readAllBytes(broker.brokerXml())).isEqualTo(original);
        }
    }

    @Test
    void userWithoutTheRole_neitherReadsNorChanges() throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        try (BrokerInstance broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"))) {
            assertThat(signet.install(broker).ok().err()).doesNotContain("no user may");
            broker.start();
            assertThat(policy(signet, broker, "list").ok().out()).contains("orders");
            broker.stop();
            signet.in("broker-home", "broker", "uninstall", broker.folder().toString())
                    .ok();
            Run without = signet.install(broker, "--policy-store", "broker");
            assertThat(without.ok().err()).contains("no user may read or change the policies");
            broker.start();

            Run list = policy(signet, broker, "list");
            Run set = policy(signet, broker, "set", "a", "--quality", "none");

            assertThat(List.of(list, set)).allSatisfy(run -> {
                assertThat(run.exitCode()).isEqualTo(3);
                assertThat(run.err()).contains("rejected user 'admin'", "does not have permission=");
            });
        }
    }
}
