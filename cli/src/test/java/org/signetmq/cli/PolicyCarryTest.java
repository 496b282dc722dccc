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

/** Differences of policies, and policies of IBM MQ. */
final class PolicyCarryTest {
    private static final String MQ = """
            * exported
            setmqspl -m QM1 -p PRIVATE.Q -s SHA256 -e AES128 -r "CN=alice,O=Example" -t 1
            setmqspl -m QM1 -p SIGNED.Q -s SHA512 -t 0
            """;

    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given(
                "identity create alice --dn CN=alice,O=Example",
                "identity create bob --dn CN=bob",
                "policy set orders.# --quality privacy --recipient alice",
                "policy set prices --quality integrity",
                "policy export --out before.json");
    }

    private void change() {
        signet.ok("policy", "add-recipient", "orders.#", "bob");
        signet.ok("policy", "remove", "prices");
        signet.ok("policy", "set", "cards", "--quality", "none");
        signet.ok("policy", "default", "reject");
    }

    @Test
    void policyInPlaceOfAnother_isShownWithTheDifference_alsoForPrograms() {
        Result dry = signet.ok("policy", "set", "prices", "--quality", "none", "--dry-run");
        Result set = signet.ok("policy", "set", "prices", "--quality", "none", "--json");
        Result again = signet.ok("policy", "set", "prices", "--quality", "none");
        Result other = signet.ok("policy", "set", "new", "--quality", "none");

        assertThat(dry.out().lines())
                .containsExactly(
                        "~ prices: quality: \"integrity\" -> \"none\"",
                        "~ prices: signature-algorithm: \"SHA-512\" -> default",
                        "prices: none, policies 2 -> 3 (not written)");
        assertThat(Json.parse(set.out()).at("/difference/changed/0/pattern").asText())
                .isEqualTo("prices");
        assertThat(again.out()).isEqualToIgnoringNewLines("prices: none, nothing to do");
        assertThat(other.out()).isEqualToIgnoringNewLines("new: none, policies 3 -> 4");
    }

    @Test
    void formerPolicies_needABroker() {
        assertThat(signet.run("policy", "history").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(signet.run("policy", "rollback", "1").err()).contains("a home keeps no former policies");
    }

    @Test
    void samePolicies_haveNoDifference_whateverTheirVersion() throws IOException {
        Path file = folder.resolve("before.json");
        Files.writeString(file, Files.readString(file).replace("\"version\" : 2", "\"version\" : 5"));

        Result same = signet.run("policy", "diff", "before.json");

        assertThat(same.exitCode()).isZero();
        assertThat(same.out()).isEmpty();
        assertThat(same.err()).isEqualToIgnoringNewLines("signet: no difference");
    }

    @Test
    void difference_isFromThePoliciesInForceToThoseOfTheFile() {
        change();

        Result text = signet.run("policy", "diff", "before.json");
        Result json = signet.run("policy", "diff", "before.json", "--json");

        assertThat(text.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(text.out().lines())
                .containsExactly(
                        "~ unmatched: \"reject\" -> \"pass\"",
                        "- cards: none",
                        "+ prices: integrity",
                        "~ orders.#: recipients: [\"alice\",\"bob\"] -> [\"alice\"]");
        assertThat(json.exitCode()).isEqualTo(ExitCode.FAILURE);
        JsonNode answer = Json.parse(json.out());
        assertThat(answer.path("schema").asInt()).isEqualTo(1);
        assertThat(answer.path("same").asBoolean(true)).isFalse();
        assertThat(answer.path("settings").path(0).path("key").asText()).isEqualTo("unmatched");
        assertThat(answer.path("removed").path(0).path("pattern").asText()).isEqualTo("cards");
        assertThat(answer.path("added").path(0).path("quality").asText()).isEqualTo("integrity");
        JsonNode changed = answer.path("changed").path(0);
        assertThat(changed.path("pattern").asText()).isEqualTo("orders.#");
        assertThat(changed.path("keys").path(0).path("after").path(0).asText()).isEqualTo("alice");
    }

    @Test
    void dryRunOfAnImport_showsTheDifference() {
        change();

        Result dry = signet.ok("policy", "import", "before.json", "--dry-run");

        assertThat(dry.out())
                .contains("- cards: none", "+ prices: integrity", "2 policies, policies 6 -> 7 (not written)");
        assertThat(signet.run("policy", "diff", "before.json").exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void differenceWithoutFileOrTwoBrokers_isAUsageError() {
        assertThat(signet.run("policy", "diff").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(signet.run("policy", "diff", "--broker", "tcp://127.0.0.1:1").exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(signet.run("policy", "diff", "none.json").err()).contains("no such file");
    }

    @Test
    void policiesOfMq_comeBesideThoseThatAreThere_eachLineIsReported() throws IOException {
        Files.writeString(folder.resolve("mq.txt"), MQ);

        Result dry = signet.ok("policy", "import", "mq.txt", "--from-mq", "--dry-run");
        Result imported = signet.ok("policy", "import", "mq.txt", "--from-mq", "--tolerate-until", "2999-01-01");

        assertThat(dry.out()).contains("+ PRIVATE.Q: privacy", "4 policies, policies 2 -> 3 (not written)");
        assertThat(imported.out().lines())
                .containsExactly(
                        "line 2: PRIVATE.Q: stronger: signature SHA256 becomes SHA-512; encryption AES128 becomes AES-256; "
                                + "messages in clear are tolerated until 2999-01-01T00:00:00Z only",
                        "line 3: SIGNED.Q: taken",
                        "mq.txt: 4 policies, policies 2 -> 3");
        assertThat(signet.ok("policy", "show", "PRIVATE.Q").out())
                .containsPattern("recipients +CN=alice,O=Example")
                .containsPattern("toleration +until 2999-01-01");
        assertThat(signet.ok("policy", "list").out()).contains("orders.#", "prices", "SIGNED.Q");
    }

    @Test
    void policiesOfMq_letProducersSeal_andTheBrokerWithItsSigner() throws IOException {
        signet.ok("identity", "create", "broker", "--dn", "CN=broker");
        Files.writeString(
                folder.resolve("mq.txt"), "setmqspl -m QM1 -p SIGNED.Q -s SHA512 -a CN=alice,O=Example -t 0\n");

        Result imported = signet.ok("policy", "import", "mq.txt", "--from-mq");
        String where = signet.ok("policy", "show", "SIGNED.Q").out();
        Result mended = signet.ok("policy", "import", "mq.txt", "--from-mq", "--add-signer", "broker");

        assertThat(imported.err()).isEmpty();
        assertThat(where).containsPattern("where +client").containsPattern("signers +CN=alice,O=Example");
        assertThat(mended.err()).isEmpty();
        assertThat(signet.ok("policy", "show", "SIGNED.Q").out())
                .containsPattern("where +either")
                .containsPattern("signers +CN=alice,O=Example; broker");
    }

    @Test
    void policyOfMqThatIsRefused_keepsAllFromComing() throws IOException {
        Files.writeString(folder.resolve("mq.txt"), MQ + "setmqspl -m QM1 -p OLD.Q -s MD5\n");

        Result result = signet.run("policy", "import", "mq.txt", "--from-mq");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).contains("line 4: OLD.Q: refused: the signature algorithm MD5 is broken");
        assertThat(result.err()).contains("policies of MQ are refused (1), nothing was changed");
        assertThat(signet.ok("policy", "list").out()).doesNotContain("SIGNED.Q");
    }

    @Test
    void policyOfMqForAnUnknownRecipient_isRejectedByTheCertificates() throws IOException {
        Files.writeString(folder.resolve("mq.txt"), MQ.replace("CN=alice", "CN=erin"));

        Result result = signet.run("policy", "import", "mq.txt", "--from-mq");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .contains("rejected, nothing was changed", "line 2: PRIVATE.Q: recipients[0]: ", "CN=erin,O=Example");
    }

    @Test
    void reportOfMqForPeople_orNoPolicyAtAll_isAFailureThatSaysWhatToDo() throws IOException {
        Files.writeString(
                folder.resolve("mq.txt"),
                "Policy Details:\nPolicy name: PRIVATE.Q\nQuality of protection: PRIVACY\nSignature algorithm: SHA256\n");
        Files.writeString(folder.resolve("other.txt"), "a line\n");

        Result report = signet.run("policy", "import", "mq.txt", "--from-mq");
        Result other = signet.run("policy", "import", "other.txt", "--from-mq");

        assertThat(report.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(report.out())
                .startsWith("line 1: refused: the output of dspmqspl or DISPLAY POLICY")
                .contains("dspmqspl -export");
        assertThat(other.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(other.err()).contains("has no policy of MQ, nothing was changed", "dspmqspl -export");
    }

    @Test
    void optionsThatDoNotGoTogether_areUsageErrors() {
        for (String command : new String[] {
            "export --format mq",
            "import before.json --tolerate-until 2999-01-01",
            "import before.json --add-signer broker",
            "import before.json --from-mq --tolerate-until 2001-01-01",
            "import before.json --from-mq --tolerate-until soon",
        }) {
            assertThat(signet.run(("policy " + command).split(" ")).exitCode())
                    .as(command)
                    .isEqualTo(ExitCode.USAGE);
        }
    }
}
