/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

/** {@code signet policy recovery}, and recovery recipients in other commands. */
final class PolicyRecoveryTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given(
                "identity create alice --dn CN=alice,O=Example",
                "identity create vault --dn CN=vault,O=Example",
                "policy set privacy --quality privacy --recipient alice",
                "policy set confidentiality --quality confidentiality --recipient alice",
                "policy set integrity --quality integrity");
    }

    @Test
    void recovery_isSetShownAndTakenAway() {
        assertThat(signet.ok("policy", "recovery").out()).isEqualToIgnoringNewLines("recovery: none");

        Result dry = signet.ok("policy", "recovery", "vault", "--dry-run");
        Result set = signet.ok("policy", "recovery", "vault");
        Result again = signet.ok("policy", "recovery", "vault");
        Result shown = signet.ok("policy", "recovery");
        JsonNode json = Json.parse(signet.ok("policy", "recovery", "--json").out());
        Result none = signet.ok("policy", "recovery", "--none");

        assertThat(dry.out()).isEqualToIgnoringNewLines("recovery: vault, policies 3 -> 4 (not written)");
        assertThat(set.out()).isEqualToIgnoringNewLines("recovery: vault, policies 3 -> 4");
        assertThat(again.out()).isEqualToIgnoringNewLines("recovery: vault, nothing to do");
        assertThat(shown.out()).isEqualToIgnoringNewLines("recovery: vault");
        assertThat(json.path("recovery").path(0).asText()).isEqualTo("vault");
        assertThat(json.path("version").asLong()).isEqualTo(4);
        assertThat(none.out()).isEqualToIgnoringNewLines("recovery: none, policies 4 -> 5");
    }

    @Test
    void namesThatCannotBeUsed_areAllTold_andNothingIsChanged() {
        Result unknown = signet.run("policy", "recovery", "vault", "vaultt", "CN=unknown");
        Result twice = signet.run("policy", "recovery", "vault", "vault");
        Result blank = signet.run("policy", "recovery", " ");
        Result both = signet.run("policy", "recovery", "vault", "--none");

        assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(unknown.err())
                .startsWith("signet: error: recovery: rejected, nothing was changed")
                .contains("recovery[1]: ", "recovery[2]: ");
        assertThat(twice.err()).contains("recovery[1]: named before");
        assertThat(blank.err()).contains("recovery[0]: not a name");
        assertThat(both.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(signet.ok("policy", "recovery").out()).contains("none");
    }

    @Test
    void explainListAndShow_tellTheRecovery_ofPoliciesThatEncrypt() {
        signet.ok("policy", "recovery", "vault");

        assertThat(signet.ok("policy", "explain", "privacy").out())
                .containsPattern("recipients +alice; vault\\R")
                .containsPattern("recovery +vault\\R");
        JsonNode explained =
                Json.parse(signet.ok("policy", "explain", "privacy", "--json").out());
        assertThat(explained.path("recipients")).extracting(JsonNode::textValue).containsExactly("alice", "vault");
        assertThat(explained.path("recovery")).extracting(JsonNode::textValue).containsExactly("vault");
        assertThat(signet.ok("policy", "show", "confidentiality").out())
                .containsPattern("recipients +alice\\R")
                .containsPattern("recovery +vault\\R");
        assertThat(signet.ok("policy", "explain", "integrity").out()).doesNotContain("recovery");
        assertThat(signet.ok("policy", "show", "integrity").out()).doesNotContain("recovery");
        Result list = signet.ok("policy", "list");
        assertThat(list.out()).doesNotContain("vault");
        assertThat(list.err()).contains("recovery: vault");
        assertThat(Json.parse(signet.ok("policy", "list", "--json").out())
                        .path("recovery")
                        .path(0)
                        .asText())
                .isEqualTo("vault");
    }

    @Test
    void exportDiffAndImport_carryTheRecovery() {
        signet.ok("policy", "export", "--out", "without.json");
        signet.ok("policy", "recovery", "vault");
        signet.ok("policy", "export", "--out", "with.json");

        Result difference = signet.run("policy", "diff", "without.json");
        signet.ok("policy", "import", "without.json");
        assertThat(signet.ok("policy", "recovery").out()).contains("none");
        signet.ok("policy", "import", "with.json");

        assertThat(difference.out()).isEqualToIgnoringNewLines("~ recovery: [\"vault\"] -> default");
        assertThat(signet.ok("policy", "recovery").out()).contains("vault");
        assertThat(signet.ok("policy", "remove", "integrity").exitCode()).isZero();
        assertThat(signet.ok("policy", "recovery").out()).contains("vault");
    }

    @Test
    void recoveryWithoutItsCertificate_isFoundByTheDoctor_andLetsNothingBeSealed() throws IOException {
        signet.ok("policy", "recovery", "vault");
        Files.delete(folder.resolve("signet-home/recipients/vault.pem"));

        Result doctor = signet.run("doctor");
        Result sealed =
                signet.input(new byte[10]).run("message", "seal", "--address", "confidentiality", "--as", "alice");

        assertThat(doctor.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(doctor.out())
                .contains(
                        "privacy: messages are rejected: recovery recipient: ",
                        "confidentiality: messages are rejected: recovery recipient: ",
                        "signet policy recovery")
                .doesNotContain("integrity: messages are rejected");
        assertThat(sealed.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(sealed.bytes()).isEmpty();
        assertThat(signet.ok("policy", "set", "other", "--quality", "integrity").exitCode())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"privacy, 10", "privacy, 1048677", "confidentiality, 10", "confidentiality, 1048677"})
    void message_opensByTheRecoveryKey(String address, int length) {
        signet.ok("policy", "recovery", "vault");
        byte[] payload = new byte[length];
        new SplittableRandom(length).nextBytes(payload);

        byte[] sealed = signet.input(payload)
                .ok("message", "seal", "--address", address, "--as", "alice")
                .bytes();

        for (String reader : new String[] {"vault", "alice"}) {
            assertThat(signet.input(sealed)
                            .ok("message", "open", "--address", address, "--as", reader)
                            .bytes())
                    .isEqualTo(payload);
        }
    }
}
