/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
import org.signetmq.testkit.Ports;

/** The commands {@code signet policy} at brokers, over real connections, with an agreed plugin behind them. */
final class PolicyBrokerIT {
    private static final String ESCAPE = "\u001b";

    @TempDir
    private Path folder;

    private final FakeSignet signet = new FakeSignet();
    private GuardedBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = GuardedBroker.answering(folder, signet, configuration -> {});
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Result policy(String... command) {
        String[] whole = new String[command.length + 3];
        whole[0] = "policy";
        System.arraycopy(command, 0, whole, 1, command.length);
        whole[command.length + 1] = "--broker";
        whole[command.length + 2] = broker.url();
        return broker.as(GuardedBroker.ADMIN, whole);
    }

    private void set(Policy... policies) {
        signet.policies = PolicySet.of(7, UnmatchedAddress.PASS, List.of(policies));
    }

    @Test
    void changes_areMadeInTheBroker_andItsWarningsAreShownWithoutControlCharacters() {
        Result set = policy("set", "orders.#", "--quality", "privacy", "--recipient", "alice");
        Result added = policy("add-recipient", "orders.#", "bob");
        Result both = policy("add-recipient", "orders.#", "carol", "dave");
        Result unmatched = policy("default", "reject");
        Result again = policy("unmatched", "reject");
        Result removed = policy("remove", "orders.#");
        Result wildcards = policy("wildcards", "--delimiter", "/");

        assertThat(set.out()).isEqualToIgnoringNewLines("orders.#: privacy, policies 0 -> 1");
        assertThat(set.err()).isEqualToIgnoringNewLines("signet: warning: a certificate  [1m ends soon");
        assertThat(added.out()).isEqualToIgnoringNewLines("orders.#: recipients added: bob, policies 1 -> 2");
        assertThat(both.out()).isEqualToIgnoringNewLines("orders.#: recipients added: carol; dave, policies 2 -> 3");
        assertThat(unmatched.out()).isEqualToIgnoringNewLines("unmatched: reject, policies 3 -> 4");
        assertThat(again.out()).isEqualToIgnoringNewLines("unmatched: reject, nothing to do");
        assertThat(removed.out()).isEqualToIgnoringNewLines("orders.#: removed, policies 4 -> 5");
        assertThat(wildcards.out()).contains("delimiter \"/\"", "policies 5 -> 6");
        assertThat(folder.resolve("signet-home")).doesNotExist();
    }

    @Test
    void policies_areShown_withTheMakerOfTheirVersion() {
        set(Policy.privacy("orders.#", List.of("alice")), Policy.integrity("orders.eu"));

        Result list = policy("list");
        Result show = policy("show", "orders.#");
        Result explain = policy("explain", "orders.eu");
        Result none = policy("explain", "elsewhere");
        Result json = policy("explain", "orders.eu", "--json");

        assertThat(list.out()).contains("orders.#", "privacy", "alice");
        assertThat(list.err())
                .contains("version 7 by 'anna [31m' from 10.0.0.7:51234 at 2026-11-25T10:00:00Z; messages of")
                .doesNotContain(ESCAPE);
        assertThat(show.out()).containsPattern("recipients +alice");
        assertThat(explain.out()).contains("orders.eu: ", "overruled").containsPattern("quality +integrity");
        assertThat(none.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(Json.parse(json.out()).path("policy").asText()).isEqualTo("orders.eu@7");
        assertThat(policy("show", "orders").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(policy("wildcards").out()).contains("delimiter \".\"");
    }

    @Test
    void recovery_isSetAndShown_andExplainTellsWhereItComesFrom() {
        set(Policy.privacy("orders.#", List.of("alice")), Policy.integrity("prices"));

        Result dry = policy("recovery", "vault", "--dry-run");
        Result changed = policy("recovery", "vault", "CN=safe, O=Example");
        Result again = policy("recovery", "vault", "CN=safe, O=Example");
        Result shown = policy("recovery");
        Result list = policy("list");
        Result explain = policy("explain", "orders.eu");
        Result json = policy("explain", "orders.eu", "--json");
        Result none = policy("recovery", "--none");

        assertThat(dry.out()).startsWith("recovery: vault, policies 7 -> 8 (not written)");
        assertThat(changed.out()).isEqualToIgnoringNewLines("recovery: vault; CN=safe, O=Example, policies 7 -> 8");
        assertThat(changed.err()).isEqualToIgnoringNewLines("signet: warning: a certificate  [1m ends soon");
        assertThat(again.out()).contains("nothing to do");
        assertThat(shown.out()).isEqualToIgnoringNewLines("recovery: vault; CN=safe, O=Example");
        assertThat(list.err()).contains("recovery: vault; CN=safe, O=Example");
        assertThat(explain.out())
                .containsPattern("recipients +alice; vault; CN=safe, O=Example\\R")
                .containsPattern("recovery +vault; CN=safe, O=Example\\R");
        assertThat(Json.parse(json.out()).path("recovery").size()).isEqualTo(2);
        assertThat(policy("explain", "prices").out()).doesNotContain("recovery");
        assertThat(none.out()).isEqualToIgnoringNewLines("recovery: none, policies 8 -> 9");
        assertThat(signet.operations).contains("replacePolicies", "judgeImpacts");
    }

    @Test
    void rejectedPolicy_isToldWithAllProblemsByTheirOptions() {
        set(Policy.integrity("first"));

        Result result = policy("set", "a", "--quality", "privacy", "--recipient", "unknown", "--recipient", "unseen");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("signet: error: policy for 'a': rejected, nothing was changed")
                .contains(
                        "error: --recipient: no certificate named 'unknown'",
                        "error: --recipient: no certificate named 'unseen'");
    }

    @Test
    void versionThatIsStale_isToldWithItsMaker() {
        signet.before = operation -> {
            if (operation.equals("replacePolicies")) {
                set(Policy.integrity("other"));
            }
        };

        Result result = policy("set", "a", "--quality", "none");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("signet: error: broker " + broker.url() + ": the policies were changed meanwhile, and "
                        + "nothing was changed now: version 7 was made by 'anna [31m' from 10.0.0.7:51234 at "
                        + "2026-11-25T10:00:00Z, and this command saw version 0")
                .contains("hint: run the command again; it then works on version 7")
                .doesNotContain(ESCAPE);
    }

    @Test
    void dryRun_isJudgedByTheBroker_andChangesNothing() throws Exception {
        set(Policy.privacy("orders.#", List.of("alice")));
        Files.writeString(folder.resolve("new.json"), PolicyFile.format(PolicySet.EMPTY.with(Policy.integrity("a"))));
        PolicySet before = signet.policies;

        assertThat(policy("set", "a", "--quality", "none", "--dry-run").out()).contains("7 -> 8 (not written)");
        assertThat(policy("remove", "orders.#", "--dry-run").out()).contains("7 -> 8 (not written)");
        assertThat(policy("add-recipient", "orders.#", "bob", "--dry-run").out())
                .contains("7 -> 8 (not written)");
        assertThat(policy("import", "new.json", "--dry-run").out()).contains("1 policy, policies 7 -> 8 (not");
        assertThat(policy("add-recipient", "orders.#", "unknown", "--dry-run").err())
                .contains("'unknown'");
        assertThat(signet.policies).isSameAs(before);
        assertThat(signet.operations).contains("judgeImpacts").doesNotContain("replacePolicies");
    }

    @Test
    void dryRun_showsTheTouchedQueues_asATableAndForPrograms() {
        signet.impact = """
                {"addresses": [{"address": "orders\\u001b[31m", "before": {"unmatched": "pass"},
                  "after": {"pattern": "orders", "quality": "integrity"},
                  "queues": [{"queue": "q", "messages": 12, "clear": 7, "as-required": 1, "otherwise": 2,
                    "not-looked-at": 2}]},
                  {"address": "empty", "before": {"pattern": "#", "quality": "privacy"},
                   "after": {"unmatched": "reject"}, "queues": []}],
                 "addresses-left-out": 5, "queues-left-out": 1}""";

        Result text = policy("set", "orders", "--quality", "integrity", "--dry-run");
        Result json = policy("default", "reject", "--dry-run", "--json");
        Result set = policy("set", "orders", "--quality", "integrity", "--dry-run", "--json");

        assertThat(text.out())
                .contains("policies 0 -> 1 (not written)")
                .contains("touches 7 addresses with 2 queues; 12 messages: 7 in clear, 1 sealed as required, "
                        + "0 cannot tell, 2 sealed otherwise, 2 not looked at")
                .containsPattern("orders \\[31m +no policy: pass +orders: integrity +q +12 +7 +1 +0 +2 +2")
                .contains("left out: 5 further addresses, 1 further queue")
                .doesNotContain(ESCAPE);
        assertThat(text.err()).contains("signet broker seal");
        assertThat(Json.parse(json.out())
                        .at("/impact/addresses/0/queues/0/clear")
                        .asLong())
                .isEqualTo(7);
        assertThat(Json.parse(json.out()).path("dry-run").asBoolean()).isTrue();
        assertThat(Json.parse(set.out())
                        .at("/impact/addresses/1/after/unmatched")
                        .asText())
                .isEqualTo("reject");
        assertThat(signet.policies).isEqualTo(PolicySet.EMPTY);
    }

    @Test
    void bundle_hasThePoliciesOfTheBroker_andTheCertificatesOfTheHome() {
        set(Policy.integrity("orders.#"), Policy.integrity("prices"));
        CliRun local = new CliRun(folder);
        local.ok("identity", "create", "feed", "--dn", "CN=feed");

        Result exported = broker.as(
                GuardedBroker.ADMIN,
                "bundle",
                "export",
                "--address",
                "orders.eu",
                "--broker",
                broker.url(),
                "--out",
                "a.bundle");

        assertThat(exported.err()).contains("1 policy and 1 file, signed by feed");
        assertThat(local.ok("bundle", "show", "a.bundle").out()).contains("policy orders.#: integrity", "trust/feed");
    }

    @Test
    void largeSet_isExportedAndImportedInParts_andIsTheSame() throws Exception {
        set(IntStream.range(0, 2000)
                .mapToObj(i -> Policy.privacy("orders.\ud83c\udf4e" + i, List.of("alice", "bob")))
                .toArray(Policy[]::new));
        String document = PolicyFile.format(signet.policies);

        Result exported = policy("export", "--output", "all.json");
        Result same = policy("import", "all.json");
        signet.policies = PolicySet.EMPTY;
        Result imported = policy("import", "all.json");

        assertThat(exported.err()).isEmpty();
        assertThat(folder.resolve("all.json")).hasContent(document);
        assertThat(same.out()).isEqualToIgnoringNewLines("all.json: 2000 policies, nothing to do");
        assertThat(imported.out()).isEqualToIgnoringNewLines("all.json: 2000 policies, policies 0 -> 1");
        assertThat(signet.policies.policies()).hasSize(2000);
        assertThat(Collections.frequency(signet.operations, "addPolicies")).isGreaterThan(5);
        assertThat(policy("export").out()).isEqualTo(document.replace("\"version\" : 7", "\"version\" : 1"));
    }

    @Test
    void importThatTheBrokerRejects_changesNothing() throws Exception {
        Files.writeString(
                folder.resolve("bad.json"),
                PolicyFile.format(PolicySet.EMPTY.with(Policy.privacy("a", List.of("unknown", "unseen")))));

        Result result = policy("import", "bad.json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("signet: error: import of bad.json: rejected, nothing was changed")
                .contains("policies[0].recipients[0]: ", "policies[0].recipients[1]: ");
        assertThat(signet.policies.policies()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"beginPolicies", "addPolicies"})
    void brokerThatGoesAwayInAnImport_isToldInOneLine_nothingWasChanged(String operation) throws Exception {
        Files.writeString(
                folder.resolve("new.json"),
                PolicyFile.format(PolicySet.of(
                        3,
                        UnmatchedAddress.PASS,
                        IntStream.range(0, 1000)
                                .mapToObj(i -> Policy.integrity("a" + i))
                                .toList())));
        signet.before = called -> {
            if (called.equals(operation)) {
                broker.dropConnections();
            }
        };

        Result result = policy("import", "new.json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err())
                .isEqualToIgnoringNewLines(
                        "signet: error: broker " + broker.url() + ": the connection was lost; nothing was changed");
        assertThat(signet.policies.policies()).isEmpty();
    }

    @Test
    void brokerThatGoesAwayInTheChange_leavesTheOutcomeOpen() {
        signet.before = operation -> {
            if (operation.equals("replacePolicies")) {
                broker.dropConnections();
            }
        };

        Result result = policy("default", "reject");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err()).contains("whether the change was made is unknown, and signet policy list --broker");
    }

    @Test
    void setThatChangesWhileItIsRead_isReadAgain() {
        set(IntStream.range(0, 1000).mapToObj(i -> Policy.integrity("a" + i)).toArray(Policy[]::new));
        signet.before = operation -> {
            if (Collections.frequency(signet.operations, "listPolicies") == 2) {
                signet.policies = signet.policies.with(Policy.integrity("late"));
            }
        };

        Result result = policy("list");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("late");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no json",
                "[]",
                "{}",
                "{\"version\":1}",
                "{\"version\":1,\"length\":999999999999,\"text\":\"\"}",
                "{\"version\":1,\"length\":90,\"text\":\"\"}",
                "{\"version\":1,\"length\":2,\"text\":\"abc\"}",
                "{\"version\":1,\"length\":2,\"text\":\"{}\"}",
                "{\"outcome\":\"refused\",\"version\":1,\"reason\":\"not \\u001b now\"}",
            })
    void answerThatIsNotUnderstood_isAFailure_andNoDefect(String answer) {
        signet.scripted = answer;

        for (String[] command :
                List.of(new String[] {"list"}, new String[] {"default", "reject"}, new String[] {"explain", "a"})) {
            Result result = policy(command);

            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err()).doesNotContain(ESCAPE);
        }
    }

    @Test
    void refusal_isToldWithItsReason() {
        signet.before = operation -> signet.scripted = operation.equals("replacePolicies")
                ? "{\"outcome\":\"refused\",\"version\":0,\"reason\":\"the policies of this broker are in its file\"}"
                : null;

        Result result = policy("set", "a", "--quality", "none");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("refused, nothing was changed: the policies of this broker are in its file");
    }

    @Test
    void userWithoutPermission_isRejected() {
        signet.before = operation -> {
            throw new SecurityException("Signet: user 'admin' does not have permission='EDIT'");
        };

        Result result = policy("list");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("rejected user 'admin'", "does not have permission='EDIT'");
    }

    @Test
    void severalBrokers_areAllTried_andEachSaysWhatHappened() throws Exception {
        FakeSignet second = new FakeSignet();
        try (GuardedBroker other = GuardedBroker.answering(folder, second, configuration -> {})) {
            String gone = "tcp://127.0.0.1:" + Ports.free();
            String urls = broker.url() + "," + gone + "," + other.url();

            Result some =
                    broker.as(GuardedBroker.ADMIN, "policy", "set", "a", "--quality", "integrity", "--broker", urls);
            Result all = broker.as(
                    GuardedBroker.ADMIN,
                    "policy",
                    "default",
                    "reject",
                    "--broker",
                    broker.url(),
                    "--broker",
                    other.url());
            Result read = broker.as(GuardedBroker.ADMIN, "policy", "list", "--broker", urls);

            assertThat(some.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(some.out())
                    .isEqualToIgnoringNewLines("broker " + broker.url() + ": a: integrity, policies 0 -> 1" + "broker "
                            + other.url() + ": a: integrity, policies 0 -> 1");
            assertThat(some.err())
                    .contains("signet: error: policy for 'a': failed at 1 of 3 brokers")
                    .contains("signet: error: broker " + gone + ": cannot be reached");
            assertThat(second.policies.policies()).hasSize(1);
            assertThat(all.exitCode()).isZero();
            assertThat(all.out()).contains(broker.url() + ": unmatched: reject", other.url() + ": unmatched: reject");
            assertThat(read.exitCode()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void pairWithFailover_isOneBroker() throws Exception {
        String pair = "(tcp://127.0.0.1:" + Ports.free() + "," + broker.url() + ")?ha=true";

        Result result = broker.as(GuardedBroker.ADMIN, "policy", "default", "reject", "--broker", pair);

        assertThat(result.out()).isEqualToIgnoringNewLines("unmatched: reject, policies 0 -> 1");
    }

    @Test
    void brokerWithoutSignet_isSaid() throws Exception {
        try (GuardedBroker bare = GuardedBroker.withoutPlugin(folder, configuration -> {})) {
            Result result = bare.as(GuardedBroker.ADMIN, "policy", "list", "--broker", bare.url());

            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(result.err()).contains("broker " + bare.url() + ": has no Signet", "signet broker install");
        }
    }
}
