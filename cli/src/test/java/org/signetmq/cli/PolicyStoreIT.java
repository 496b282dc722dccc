/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** The commands {@code signet policy} at a broker with the plugin, which keeps its policies in the broker. */
final class PolicyStoreIT {
    @TempDir
    private Path folder;

    private final LostConnection lost = new LostConnection();
    private GuardedBroker broker;

    /** Ends all connections when an operation of the plugin is called for the n-th time, or after that. */
    private final class LostConnection implements ActiveMQServerPlugin {
        private String operation = "";
        private int calls;
        private boolean isAfter;

        private void at(String name, int call) {
            operation = name;
            calls = call;
        }

        private boolean isMeant(Message message) {
            return operation.equals(message.getStringProperty(ManagementHelper.HDR_OPERATION_NAME));
        }

        @Override
        public void beforeSend(
                ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreate) {
            if (!isAfter && isMeant(message) && --calls == 0) {
                broker.dropConnections();
            }
        }

        @Override
        public void afterSend(
                ServerSession session,
                Transaction tx,
                Message message,
                boolean direct,
                boolean noAutoCreateQueue,
                RoutingStatus result) {
            if (isAfter && isMeant(message) && --calls == 0) {
                broker.dropConnections();
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        broker = GuardedBroker.keepingPolicies(folder, configuration -> configuration.registerBrokerPlugin(lost));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Result policy(String... command) {
        return policyAs(GuardedBroker.ADMIN, command);
    }

    private Result policyAs(String user, String... command) {
        return broker.as(
                user,
                Stream.of(Stream.of("policy"), Stream.of(command), Stream.of("--broker", broker.url()))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
    }

    @Test
    void everyChange_isInForceInTheBroker_andTheFileOfTheHomeStays() throws Exception {
        String file = Files.readString(folder.resolve("signet-home/policies.json"));

        assertThat(policy("list").out()).contains("orders.#", "privacy", "alice");
        assertThat(policy("set", "prices", "--quality", "integrity").out())
                .isEqualToIgnoringNewLines("prices: integrity, policies 1 -> 2");
        assertThat(policy("add-recipient", "orders.#", "broker", "CN=alice").out())
                .isEqualToIgnoringNewLines("orders.#: recipients added: broker; CN=alice, policies 2 -> 3");
        assertThat(policy("remove-recipient", "orders.#", "alice").out()).contains("policies 3 -> 4");
        assertThat(policy("add-signer", "prices", "alice").out()).contains("policies 4 -> 5");
        assertThat(policy("remove-signer", "prices", "alice").err()).contains("every trusted signer is accepted");
        assertThat(policy("default", "reject").out()).contains("policies 5 -> 6");
        assertThat(policy("default").out()).isEqualToIgnoringNewLines("unmatched: reject");
        assertThat(policy("remove", "prices").out()).contains("policies 6 -> 7");
        assertThat(policy("remove", "prices").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(policy("list").err())
                .containsPattern("version 7 by 'admin' from \\S+ at 20\\S+Z; messages of other");
        assertThat(policy("show", "orders.#").out()).containsPattern("recipients +broker; CN=alice");
        assertThat(policy("explain", "orders.eu").out()).startsWith("orders.eu: \"orders.#\" is the only pattern");
        assertThat(policy("explain", "other").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(broker.status(GuardedBroker.ADMIN).out()).contains("READY", "CN=alice");
        assertThat(folder.resolve("signet-home/policies.json")).hasContent(file);
    }

    @Test
    void rejectedChanges_changeNothing_andTellAllProblems() throws Exception {
        Result set = policy("set", "a", "--quality", "privacy", "--recipient", "alcie", "--recipient", "bbo");
        Result values = policy("set", "a", "--quality", "integrity", "--where", "there", "--max-key-age", "x");
        Result past =
                policy("set", "a", "--quality", "privacy", "--recipient", "alcie", "--tolerate-until", "2001-01-01");
        Result added = policy("add-recipient", "orders.#", "alcie", "bbo");
        Result wildcards = policy("wildcards", "--delimiter", "/");
        Files.writeString(
                folder.resolve("bad.json"),
                PolicyFile.format(PolicySet.EMPTY.with(Policy.privacy("a", List.of("alcie", "bbo")))));
        Result imported = policy("import", "bad.json");

        assertThat(set.err())
                .contains("--recipient: no certificate named 'alcie'", "--recipient: no certificate named 'bbo'");
        assertThat(values.err()).contains("--where: not one of", "--max-key-age: ");
        assertThat(past.err()).contains("--recipient: ").containsOnlyOnce("--tolerate-until: in the past");
        assertThat(added.err()).contains("recipients: no certificate named 'alcie'", "named 'bbo'");
        assertThat(wildcards.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(imported.err()).contains("rejected, nothing was changed", "recipients[0]", "recipients[1]");
        assertThat(policy("list").err()).contains("version 1");
    }

    @Tag(Tier.LONG)
    @Test
    void exported_isImportedWithoutAChange_andElsewhereTheSame() throws Exception {
        Path many = folder.resolve("many.json");
        writeThousands("many.json");

        Result dry = policy("import", "many.json", "--dry-run");
        Result imported = policy("import", "many.json");
        Result exported = policy("export", "--out", "exported.json");
        Result same = policy("import", "exported.json");

        assertThat(dry.out()).contains("many.json: 3000 policies, policies 1 -> 2 (not written)");
        assertThat(imported.out()).isEqualToIgnoringNewLines("many.json: 3000 policies, policies 1 -> 2");
        assertThat(exported.exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("exported.json")))
                .isEqualTo(Files.readString(many).replace("\"version\" : 40", "\"version\" : 2"));
        assertThat(same.out()).isEqualToIgnoringNewLines("exported.json: 3000 policies, nothing to do");
    }

    @Test
    void connectionLostInTheMiddleOfAnImport_leavesTheFormerPolicies() throws Exception {
        writeThousands("many.json");
        lost.at("addPolicies", 5);

        Result result = policy("import", "many.json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err())
                .contains(": the connection was lost; nothing was changed")
                .hasLineCount(1);
        assertThat(policy("list").err()).contains("version 1");
        assertThat(policy("import", "many.json").out()).contains("3000 policies, policies 1 -> 2");
    }

    @Test
    void connectionLostAtTheEndOfAnImport_leavesTheOldOrTheNewPolicies_andSaysHowToSee() throws Exception {
        writeThousands("many.json");
        lost.isAfter = true;
        lost.at("replacePolicies", 1);

        Result result = policy("import", "many.json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err())
                .contains("whether the change was made is unknown, and signet policy list --broker")
                .hasLineCount(1);
        assertThat(policy("import", "many.json").out()).contains("3000 policies, nothing to do");
    }

    private void writeThousands(String file) throws IOException {
        Files.writeString(
                folder.resolve(file),
                PolicyFile.format(PolicySet.of(
                        40,
                        UnmatchedAddress.REJECT,
                        IntStream.range(0, 3000)
                                .mapToObj(i -> Policy.privacy("orders." + i + ".\ud83c\udf4e", List.of("alice")))
                                .toList())));
    }

    @Tag(Tier.LONG)
    @Test
    void hundredThousandPolicies_areImportedAndExported() throws Exception {
        Path many = folder.resolve("many.json");
        Files.writeString(
                many,
                PolicyFile.format(PolicySet.of(
                        0,
                        UnmatchedAddress.PASS,
                        IntStream.range(0, 100_000)
                                .mapToObj(i -> Policy.privacy("orders." + i, List.of("alice")))
                                .toList())));

        Result imported = policy("import", "many.json");
        Result exported = policy("export", "--out", "exported.json");
        Result set = policy("set", "orders.7", "--quality", "integrity");

        assertThat(imported.err()
                        .replace("signet: policies: the broker checks them, which may take some seconds\n", ""))
                .isEmpty();
        assertThat(exported.err()).isEmpty();
        assertThat(imported.out()).isEqualToIgnoringNewLines("many.json: 100000 policies, policies 1 -> 2");
        assertThat(Files.readString(folder.resolve("exported.json")))
                .isEqualTo(Files.readString(many).replace("\"version\" : 0", "\"version\" : 2"));
        assertThat(set.out()).endsWith("orders.7: integrity, policies 2 -> 3\n");
    }

    @Test
    void policiesOfTwoBrokers_areCompared_untilOneHasThoseOfTheOther() throws Exception {
        try (GuardedBroker other = GuardedBroker.keepingPolicies(Files.createDirectory(folder.resolve("other")))) {
            policy("set", "prices", "--quality", "integrity");

            Result different = policy("diff", "--broker", other.url());
            policy("export", "--out", "all.json");
            Result file = policy("diff", "all.json");
            Result imported = broker.as(GuardedBroker.ADMIN, "policy", "import", "all.json", "--broker", other.url());
            Result same = policy("diff", "--broker", other.url(), "--json");

            assertThat(different.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(different.out()).isEqualToIgnoringNewLines("+ prices: integrity");
            assertThat(file.exitCode()).isZero();
            assertThat(imported.out()).isEqualToIgnoringNewLines("all.json: 2 policies, policies 1 -> 2");
            assertThat(same.exitCode()).isZero();
            assertThat(same.out()).contains("\"same\" : true");
        }
    }

    @Test
    void policiesOfMq_areImportedIntoTheBroker() throws Exception {
        Files.writeString(
                folder.resolve("mq.txt"),
                "SET POLICY(PRIVATE.Q) SIGNALG(SHA512) ENCALG(AES256) RECIP('CN=alice') ENFORCE\n");

        Result imported = policy("import", "mq.txt", "--from-mq");

        assertThat(imported.out()).contains("PRIVATE.Q: taken", "mq.txt: 2 policies, policies 1 -> 2");
        assertThat(policy("explain", "PRIVATE.Q").out()).contains("privacy", "CN=alice");
    }

    @Test
    void signersWithoutTheBroker_areToldEverywhere_unlessProducersSealAsInMq() throws Exception {
        Files.writeString(folder.resolve("mq.txt"), "setmqspl -m QM1 -p SIGNED.Q -s SHA512 -a CN=alice -t 0\n");
        String warning = "SET.Q: messages in clear are rejected, except those of users with an identity of their own";

        Result set = policy("set", "SET.Q", "--quality", "integrity", "--signer", "alice");
        Result imported = policy("import", "mq.txt", "--from-mq");
        Result status = broker.status(GuardedBroker.ADMIN);
        Result doctor = broker.as(GuardedBroker.ADMIN, "doctor", "--broker", broker.url());
        Result mended = policy("import", "mq.txt", "--from-mq", "--add-signer", "broker");

        assertThat(set.err()).contains(warning, "add 'broker' with signet policy add-signer");
        assertThat(imported.err()).doesNotContain("SIGNED.Q");
        assertThat(status.exitCode()).isZero();
        assertThat(status.out()).contains(warning, "READY");
        assertThat(doctor.out()).contains("'SET.Q': messages in clear are rejected");
        assertThat(mended.err()).doesNotContain("SIGNED.Q");
        assertThat(policy("show", "SIGNED.Q").out()).containsPattern("signers +CN=alice; broker");
    }

    @Test
    void dryRuns_changeNothing() {
        assertThat(policy("set", "a", "--quality", "none", "--dry-run").out()).contains("1 -> 2 (not written)");
        assertThat(policy("remove", "orders.#", "--dry-run").out()).contains("1 -> 2 (not written)");
        assertThat(policy("add-recipient", "orders.#", "broker", "--dry-run").out())
                .contains("1 -> 2 (not written)");
        assertThat(policy("add-recipient", "orders.#", "bbo", "--dry-run").err())
                .contains("'bbo'");
        assertThat(policy("list").err()).contains("version 1");
        Result all = policy("default", "reject", "--dry-run");
        Result none = policy("set", "nowhere", "--quality", "none", "--dry-run", "--json");
        assertThat(all.out()).contains("(not written)", "touches ");
        assertThat(Json.parse(none.out()).at("/impact/addresses")).isEmpty();
        assertThat(policy("default").out()).isEqualToIgnoringNewLines("unmatched: pass");
    }

    @Test
    void formerPolicies_areListed_andComeBackAsANewVersion_withTheDifference() throws Exception {
        Result replaced = policy("set", "orders.#", "--quality", "integrity");
        policy("set", "prices", "--quality", "integrity");

        Result history = policy("history");
        Result json = policy("history", "--json");
        Result dry = policy("rollback", "1", "--dry-run");
        Result unknown = policy("rollback", "7");
        Result viewer = policyAs(GuardedBroker.VIEWER, "rollback", "1");
        Result back = policy("rollback", "1");

        assertThat(replaced.out().lines())
                .containsExactly(
                        "~ orders.#: quality: \"privacy\" -> \"integrity\"",
                        "~ orders.#: encryption-algorithm: \"AES-256\" -> default",
                        "~ orders.#: recipients: [\"alice\"] -> default",
                        "orders.#: integrity, policies 1 -> 2");
        assertThat(history.out().lines().map(line -> line.strip().split(" ", 2)[0]))
                .containsExactly("VERSION", "3", "2", "1");
        assertThat(history.out()).containsPattern("\n +3 +20\\S+Z +admin +\\S+:[0-9]+\n");
        assertThat(Json.parse(json.out()).at("/history/2/version").asInt()).isEqualTo(1);
        assertThat(dry.out())
                .contains(
                        "- prices: integrity",
                        "~ orders.#: quality: \"integrity\" -> \"privacy\"",
                        "version 1 is back, policies 3 -> 4 (not written)");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(unknown.err()).contains("version 7: the broker keeps no such former policies");
        assertThat(viewer.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(back.out()).contains("- prices: integrity", "version 1 is back, policies 3 -> 4");
        assertThat(policy("show", "orders.#").out()).contains("privacy");
        assertThat(policy("list").err()).contains("version 4 by 'admin'");
    }

    @Test
    void rollbackToAVersionThatTheBrokerDoesNotKeep_changesNothing() {
        for (String version : new String[] {"1", "0", "-1", "9223372036854775807"}) {
            Result result = policy("rollback", version);
            assertThat(result.exitCode()).as(version).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err())
                    .contains(": version " + version + ": the broker keeps no such former policies; signet policy "
                            + "history lists them\n")
                    .hasLineCount(1);
        }
        for (String version : new String[] {"9223372036854775808", "1.5", "one", ""}) {
            Result result = policy("rollback", version);
            assertThat(result.exitCode()).as(version).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).as(version).contains("'" + version + "'");
        }
        assertThat(policy("list").err()).contains("version 1");
    }

    @Test
    void viewer_readsAndChangesNothing_userOfQueuesDoesNeither() {
        assertThat(policyAs(GuardedBroker.VIEWER, "list").exitCode()).isZero();
        assertThat(policyAs(GuardedBroker.VIEWER, "explain", "orders.eu").exitCode())
                .isZero();
        for (Result rejected : List.of(
                policyAs(GuardedBroker.VIEWER, "set", "a", "--quality", "none"),
                policyAs(GuardedBroker.VIEWER, "set", "a", "--quality", "none", "--dry-run"),
                policyAs(GuardedBroker.VIEWER, "remove", "orders.#", "--dry-run"),
                policyAs(GuardedBroker.QUEUES, "list"),
                policyAs(GuardedBroker.QUEUES, "default", "reject"))) {
            assertThat(rejected.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(rejected.err()).contains(": rejected user '", "does not have permission=");
        }
        assertThat(policy("list").err()).contains("version 1");
    }

    @Test
    void changesAtTheSameTime_areAllKept_orToldAsStale() {
        List<Result> results = new ArrayList<>();
        List<CompletableFuture<List<Result>>> threads = Stream.of("a", "b", "c")
                .map(name -> CompletableFuture.supplyAsync(() -> IntStream.range(0, 8)
                        .mapToObj(i -> policy("set", name + i, "--quality", "none"))
                        .toList()))
                .toList();
        threads.forEach(thread -> results.addAll(thread.join()));

        String list = policy("list", "--json").out();
        long made = results.stream().filter(result -> result.exitCode() == 0).count();
        assertThat(list).contains("\"version\" : " + (made + 1));
        assertThat(results).allSatisfy(result -> {
            if (result.exitCode() == 0) {
                assertThat(list).contains("\"" + result.out().replaceFirst(":.*\\R", "") + "\"");
            } else {
                assertThat(result.err())
                        .contains(
                                "the policies were changed meanwhile", "by 'admin' from 127.0.0.1:", "run the command");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"set a --quality none", "remove orders.#", "default reject", "add-recipient orders.# broker"})
    void brokerWithItsPoliciesInTheFile_refusesChanges(String command) throws Exception {
        try (GuardedBroker other = GuardedBroker.protecting(Files.createDirectory(folder.resolve("other")))) {
            Result list = other.as(GuardedBroker.ADMIN, "policy", "list", "--broker", other.url());
            Result change =
                    other.as(GuardedBroker.ADMIN, ("policy " + command + " --broker " + other.url()).split(" "));

            assertThat(list.out()).contains("orders.#");
            assertThat(change.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(change.err())
                    .startsWith("signet: error: broker " + other.url() + ": refused, nothing was changed: ")
                    .contains("file");
        }
    }
}
