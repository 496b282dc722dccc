/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

final class PolicyCommandsTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given("identity create alice --dn CN=alice,O=Example");
    }

    @Test
    void set_countsVersionsUp() {
        Result first = signet.run("policy", "set", "orders.#", "--quality", "privacy", "--recipient", "alice");
        Result second = signet.run("policy", "set", "prices", "--quality", "integrity");

        assertThat(first.out()).isEqualToIgnoringNewLines("orders.#: privacy, policies 0 -> 1");
        assertThat(second.out()).isEqualToIgnoringNewLines("prices: integrity, policies 1 -> 2");
    }

    @Test
    void set_again_replacesThePolicyWhole() {
        signet.ok("policy", "set", "a", "--quality", "confidentiality", "--recipient", "alice", "--key-reuse", "7");

        signet.ok("policy", "set", "a", "--quality", "confidentiality", "--recipient", "CN=alice, O=Example");

        assertThat(signet.ok("policy", "show", "a").out())
                .containsPattern("recipients +CN=alice, O=Example\\R")
                .containsPattern("key-reuse +32\\R");
    }

    @Test
    void set_everyOption_isInTheFile() {
        signet.ok(
                "policy",
                "set",
                "a.*",
                "--quality",
                "confidentiality",
                "--recipient",
                "alice",
                "--key-reuse",
                "unlimited",
                "--max-bytes-per-key",
                "512MiB",
                "--max-key-age",
                "30m",
                "--encryption-algorithm",
                "AES-256",
                "--tolerate-until",
                "2030-01-31",
                "--where",
                "broker");
        signet.ok(
                "policy",
                "set",
                "b",
                "--quality",
                "integrity",
                "--signer",
                "alice",
                "--signature-algorithm",
                "SHA-512-RSA-PSS",
                "--certificate",
                "referenced");

        JsonNode policies =
                Json.parse(signet.ok("policy", "list", "--json").out()).path("policies");

        JsonNode encrypting = policies.path(0);
        assertThat(encrypting.path("key-reuse").asText()).isEqualTo("unlimited");
        assertThat(encrypting.path("max-bytes-per-key").asText()).isEqualTo("512MiB");
        assertThat(encrypting.path("max-key-age").asText()).isEqualTo("PT30M");
        assertThat(encrypting.path("toleration").path("until").asText()).isEqualTo("2030-01-31T00:00:00Z");
        assertThat(encrypting.path("where").asText()).isEqualTo("broker");
        assertThat(policies.path(1).path("signature-algorithm").asText()).isEqualTo("SHA-512-RSA-PSS");
        assertThat(policies.path(1).path("certificate").asText()).isEqualTo("referenced");
        assertThat(policies.path(1).path("signers").path(0).asText()).isEqualTo("alice");
    }

    @Test
    void set_manyProblems_namesEveryOneByItsOptionAndChangesNothing() {
        Result result = signet.run(
                "policy",
                "set",
                "a",
                "--quality",
                "integrity",
                "--recipient",
                "alcie",
                "--key-reuse",
                "4",
                "--signature-algorithm",
                "MD5");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("signet: error: policy for 'a': rejected, nothing was changed")
                .contains("signet: error: --recipient: ")
                .contains("alice")
                .contains("signet: error: --key-reuse: ")
                .contains("signet: error: --signature-algorithm: ");
        assertThat(folder.resolve("signet-home/policies.json")).doesNotExist();
    }

    @Test
    void set_encryptingWithoutRecipients_isRejected() {
        Result result = signet.run("policy", "set", "a", "--quality", "privacy");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("signet: error: --recipient: ");
    }

    @Test
    void set_dryRun_judgesAndWritesNothing() {
        Result good = signet.run("policy", "set", "a", "--quality", "integrity", "--dry-run");
        Result bad = signet.run("policy", "set", "a", "--quality", "secret", "--dry-run");

        assertThat(good.exitCode()).isZero();
        assertThat(good.out()).isEqualToIgnoringNewLines("a: integrity, policies 0 -> 1 (not written)");
        assertThat(bad.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(folder.resolve("signet-home/policies.json")).doesNotExist();
    }

    @Test
    void set_otherPolicyNamesSomebodyUnknown_warns() throws IOException {
        signet.ok("policy", "set", "a", "--quality", "privacy", "--recipient", "alice");
        Files.delete(folder.resolve("signet-home/recipients/alice.pem"));

        Result result = signet.run("policy", "set", "b", "--quality", "integrity");

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).startsWith("signet: warning: another policy will not do: policies[0].recipients[0]");
    }

    @Test
    void unusableFile_exitsWith3AndNamesEveryProblem() throws IOException {
        Files.writeString(
                folder.resolve("signet-home/policies.json"),
                "{\"schema\":1,\"version\":1,\"policies\":[{\"pattern\":\"a\",\"qality\":\"privacy\",\"where\":\"here\"}]}");

        Result result = signet.run("policy", "list");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("policies.json: cannot be used")
                .contains("qality")
                .contains("where");
    }

    @Test
    void show_unsetPattern_isANegativeAnswer() {
        Result result = signet.run("policy", "show", "nothing");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void remove_takesExactlyThatPattern() {
        signet.ok("policy", "set", "a.#", "--quality", "integrity");
        signet.ok("policy", "set", "a.b", "--quality", "integrity");

        Result removed = signet.run("policy", "remove", "a.b");
        Result again = signet.run("policy", "remove", "a.b");

        assertThat(removed.out()).isEqualToIgnoringNewLines("a.b: removed, policies 2 -> 3");
        assertThat(again.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(signet.ok("policy", "list", "--quiet").out()).contains("a.#").doesNotContain("a.b");
    }

    @Test
    void explain_saysWhichAndWhatItOverrules() {
        signet.ok("policy", "set", "a.#", "--quality", "integrity");
        signet.ok("policy", "set", "a.b", "--quality", "none");

        JsonNode explained =
                Json.parse(signet.ok("policy", "explain", "a.b", "--json").out());

        assertThat(explained.path("policy").asText()).isEqualTo("a.b@2");
        assertThat(explained.path("quality").asText()).isEqualTo("none");
        assertThat(explained.path("overruled").path(0).asText()).isEqualTo("a.#");
        assertThat(signet.ok("policy", "explain", "a.b").out())
                .startsWith("a.b: ")
                .containsPattern("overruled +a\\.#");
    }

    @Test
    void explain_noPolicy_isANegativeAnswerWithTheReason() {
        Result result = signet.run("policy", "explain", "a");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).startsWith("a: ");
        assertThat(Json.parse(signet.run("policy", "explain", "a", "--json").out())
                        .path("policy")
                        .isNull())
                .isTrue();
    }

    @Test
    void addressOfTheBrokers_isRejectedAndExplained() {
        Result set = signet.run("policy", "set", "ActiveMQ.Advisory.#", "--quality", "integrity");
        signet.ok("policy", "set", "#", "--quality", "integrity");
        Result explained = signet.run("policy", "explain", "ActiveMQ.Advisory.Connection");

        assertThat(set.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(set.err())
                .contains("ADDRESS: kept by the broker for advisories of OpenWire, found \"ActiveMQ.Advisory.#\"");
        assertThat(explained.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(explained.out())
                .startsWith("ActiveMQ.Advisory.Connection: excluded: the broker keeps it for advisories of OpenWire")
                .contains("messages that clients send there are judged by \"#\"");
        assertThat(signet.run("policy", "explain", "$orders").exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void wildcards_areShownAndSet_andPatternsAreWrittenInThem() {
        assertThat(signet.ok("policy", "wildcards").out())
                .isEqualToIgnoringNewLines("wildcards: delimiter \".\", any-words \"#\", single-word \"*\"");

        assertThat(signet.ok("policy", "wildcards", "--delimiter", "/", "--single-word", "+")
                        .out())
                .isEqualToIgnoringNewLines(
                        "wildcards: delimiter \"/\", any-words \"#\", single-word \"+\", policies 0 -> 1");

        signet.ok("policy", "set", "orders/+", "--quality", "integrity");
        assertThat(signet.run("policy", "set", "orders.#", "--quality", "integrity")
                        .err())
                .contains("ADDRESS: words that end in \".\", found \"orders.#\"");
        assertThat(signet.ok("policy", "explain", "orders/eu").out()).contains("\"orders/+\" is the only pattern");
        assertThat(signet.run("policy", "explain", "orders.eu").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(signet.ok("policy", "list").err()).contains("wildcards: delimiter \"/\"");
        assertThat(signet.ok("policy", "show", "orders/+", "--json").out()).contains("\"delimiter\" : \"/\"");
    }

    @Test
    void wildcards_thatPoliciesDoNotFitOrCannotBe_areRejected() {
        signet.ok("policy", "set", "orders.#", "--quality", "integrity");

        Result misfit = signet.run("policy", "wildcards", "--delimiter", "/");
        Result twice = signet.run("policy", "wildcards", "--delimiter", "#");
        Result two = signet.run("policy", "wildcards", "--delimiter", "::");

        assertThat(misfit.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(misfit.err())
                .contains("wildcards: policies of the home do not fit, nothing was changed")
                .contains("policies[0].pattern: words that end in \".\", found \"orders.#\"");
        assertThat(twice.err()).contains("wildcards: the same character twice");
        assertThat(two.err()).contains("--delimiter: not one character");
        assertThat(signet.ok("policy", "wildcards").out()).contains("delimiter \".\"");
    }

    @Test
    void unmatched_isShownAndSet_andASecondRunHasNothingToDo() {
        signet.ok("policy", "set", "orders.#", "--quality", "integrity");

        assertThat(signet.ok("policy", "unmatched").out()).isEqualToIgnoringNewLines("unmatched: pass");
        assertThat(signet.ok("policy", "unmatched", "reject").out())
                .isEqualToIgnoringNewLines("unmatched: reject, policies 1 -> 2");
        assertThat(signet.ok("policy", "unmatched", "reject").out())
                .isEqualToIgnoringNewLines("unmatched: reject, nothing to do");
        assertThat(signet.ok("policy", "list").err())
                .contains("version 2; messages of other addresses are rejected (unmatched: reject)");
        assertThat(Json.parse(signet.ok("policy", "list", "--json").out())
                        .path("unmatched")
                        .asText())
                .isEqualTo("reject");
        assertThat(signet.run("policy", "explain", "elsewhere").out()).contains("are rejected");
        assertThat(signet.ok("policy", "unmatched", "pass").out())
                .isEqualToIgnoringNewLines("unmatched: pass, policies 2 -> 3");
        assertThat(signet.ok("policy", "list").err()).contains("version 3; messages of other addresses pass");
    }

    @Test
    void unmatched_asJson_saysWhetherItChangedSomething() {
        JsonNode shown = Json.parse(signet.ok("policy", "unmatched", "--json").out());
        JsonNode set =
                Json.parse(signet.ok("policy", "unmatched", "reject", "--json").out());
        JsonNode again =
                Json.parse(signet.ok("policy", "unmatched", "reject", "--json").out());

        assertThat(shown)
                .isEqualTo(Json.answer(Json.object())
                        .put("unmatched", "pass")
                        .put("version", 0)
                        .put("changed", false)
                        .put("dry-run", false)
                        .putNull("impact"));
        assertThat(set)
                .isEqualTo(Json.answer(Json.object())
                        .put("unmatched", "reject")
                        .put("version", 1)
                        .put("changed", true)
                        .put("dry-run", false)
                        .putNull("impact"));
        assertThat(again)
                .isEqualTo(Json.answer(Json.object())
                        .put("unmatched", "reject")
                        .put("version", 1)
                        .put("changed", false)
                        .put("dry-run", false)
                        .putNull("impact"));
    }

    @Test
    void unmatched_rejectWithoutPolicies_warns_andIsListed() {
        Result result = signet.run("policy", "unmatched", "reject");

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.err()).startsWith("signet: warning: the home has no policies: all messages are rejected");
        assertThat(signet.ok("policy", "list").err())
                .contains("has no policies; messages of other addresses are rejected");
    }

    @Test
    void unmatched_anotherWord_isRejectedWithTheTwo() {
        Result result = signet.run("policy", "unmatched", "drop");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("must be pass or reject, found 'drop'");
        assertThat(folder.resolve("signet-home/policies.json")).doesNotExist();
    }
}
