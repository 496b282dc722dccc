/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

/** The life of a key in commands. */
final class IdentityRenewalTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given("identity create alice --dn CN=alice", "policy set orders --quality privacy --recipient alice");
    }

    @Test
    void renewedIdentity_opensOldAndNewMessages_untilItsFormerKeyIsRetired() throws IOException {
        byte[] old = seal("old");
        String former = keyId();

        Result renewed = signet.ok("identity", "renew", "alice", "--key-algorithm", "ec-p384", "--days", "100");

        byte[] late = seal("late");
        assertThat(renewed.out()).matches("alice: CN=alice, ec-p384, key id [0-9a-f]{40}, valid until 20.*Z\\R");
        assertThat(renewed.err())
                .contains("the former key " + former + " still opens messages")
                .contains("signet-home/recipients/alice.pem in place of theirs");
        assertThat(keyId()).isNotEqualTo(former);
        assertThat(open(old).out()).isEqualTo("old");
        assertThat(open(late).out()).isEqualTo("late");
        assertThat(signet.ok("identity", "list").out())
                .containsPattern("alice +CN=alice +ec-p384 .* key, certificate\\R" + "alice +CN=alice +ec-p256 .* "
                        + former + " +former key, certificate");
        assertThat(signet.ok("identity", "show", "alice").out()).contains("former key, certificate\n", former);
        assertThat(signet.input(old).ok("message", "inspect").out())
                .as("the former certificate names its owner")
                .containsPattern("recipient +alice, ");

        assertThat(signet.run("identity", "retire", "alice", "--key", former).err())
                .contains("no broker is named, so nothing was looked at");
        Result retired = signet.ok("identity", "retire", "alice", "--key", "ski:" + former, "--force");

        assertThat(retired.out()).isEqualTo("alice: former key retired\n");
        assertThat(retired.err()).contains("its encrypted copy is ", "/identities/retired/alice.");
        assertThat(open(old).exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(open(late).out()).isEqualTo("late");
        assertThat(signet.ok("identity", "list").out()).doesNotContain("former");
    }

    @Test
    void show_asJson_hasTheFormerKey() {
        String former = keyId();
        signet.ok("identity", "renew", "alice");

        JsonNode shown = Json.parse(signet.withoutPassword()
                .ok("identity", "show", "alice", "--json")
                .out());

        assertThat(shown.path("chain")).hasSize(1);
        assertThat(shown.path("former")).hasSize(1);
        assertThat(shown.path("former").get(0).path("key-id").asText()).isEqualTo(former);
        assertThat(shown.path("former").get(0).path("private-key").asBoolean()).isTrue();
        assertThat(shown.path("former").get(0).path("certificate").path("dn").asText())
                .isEqualTo("CN=alice");
    }

    @Test
    void formerKeyWithoutCertificate_isListedByItsFile() throws IOException {
        String former = keyId();
        signet.ok("identity", "renew", "alice");
        Files.delete(folder.resolve("signet-home/recipients/alice.pem"));
        Files.delete(folder.resolve("signet-home/trust/alice.pem"));

        assertThat(signet.ok("identity", "list").out())
                .containsPattern("alice +" + former.substring(0, 16) + " +former key\\R");
    }

    @Test
    void export_hasTheFormerCertificatesForOthers() {
        signet.ok("identity", "renew", "alice");

        String pem = signet.ok("identity", "export", "alice").out();

        assertThat(pem.split("-----BEGIN CERTIFICATE-----", -1)).hasSize(3);
    }

    @Test
    void sameKey_getsAnotherCertificate() {
        String before = keyId();

        Result renewed = signet.ok("identity", "renew", "alice", "--same-key");

        assertThat(renewed.err()).doesNotContain("former key");
        assertThat(keyId()).isEqualTo(before);
        assertThat(signet.ok("identity", "list").out()).contains("former certificate");
    }

    @Test
    void dryRun_saysWhatItWouldMakeAndWritesNothing() throws IOException {
        List<Path> before = files();

        Result result = signet.ok("identity", "renew", "alice", "--dry-run", "--key-algorithm", "rsa-2048");

        assertThat(result.out()).startsWith("alice: would be CN=alice, rsa-2048, a new key, valid until 20");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void preparedKey_isUsedLater() throws IOException {
        String first = keyId();
        signet.ok("identity", "renew", "alice", "--later");
        assertThat(keyId()).isEqualTo(first);
        String prepared = Json.parse(
                        signet.ok("identity", "show", "alice", "--json").out())
                .path("former")
                .get(0)
                .path("key-id")
                .asText();

        signet.ok("identity", "renew", "alice", "--use", prepared);

        assertThat(keyId()).isEqualTo(prepared);
        assertThat(open(seal("late")).out()).isEqualTo("late");
    }

    @Test
    void currentKey_isNotRetired() {
        Result result = signet.run("identity", "retire", "alice", "--key", keyId(), "--force");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("is its current key", "signet identity renew alice");
    }

    @Test
    void formerKeyWithAnotherPassword_isAWarning_andTheCurrentOneOpens() throws IOException {
        String former = keyId().substring(0, 16);
        signet.ok("identity", "renew", "alice");
        CliRun other = new CliRun(folder).environment("SIGNET_PASSWORD", "another");
        other.ok("--home", "other", "identity", "create", "alice", "--dn", "CN=alice");
        Files.copy(
                folder.resolve("other/identities/alice.p12"),
                folder.resolve("signet-home/identities/former/alice." + former + ".p12"),
                StandardCopyOption.REPLACE_EXISTING);

        Result opened = open(seal("late"));

        assertThat(opened.out()).isEqualTo("late");
        assertThat(opened.err()).contains("signet: warning: ", "the former key is not used: wrong password");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "renew alice --days 0 | 2 | --days: must be 1 to 3650",
                "renew alice --days 3651 | 2 | --days: must be 1 to 3650",
                "renew alice --same-key --key-algorithm ec-p256 | 2 | leave out",
                "renew alice --use 0123456789abcdef --later | 2 | leave out",
                "renew alice --key-algorithm dsa | 2 | 'dsa' is none of ec-p256",
                "renew alice --use abc | 3 | must be 16 to 40 hex digits",
                "renew alice --issuer nobody | 3 | identity 'nobody': not in",
                "renew bob | 1 | identity 'bob': not in",
                "retire bob --key 0123456789abcdef | 1 | identity 'bob': not in",
                "retire alice --key 0123456789abcdef | 1 | has no former key",
                "retire alice --key 0123456789abcdef --user anna --force | 2 | --broker: missing",
                "retire alice --key 0123456789abcdef --force | 1 | has no former key",
                "retire alice --key ../alice --force | 1 | must be 16 to 40 hex digits",
            })
    void badArguments_areRejected_andChangeNothing(String command, int exitCode, String message) throws IOException {
        List<Path> before = files();

        Result result = signet.run(("identity " + command).split(" "));

        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.err()).contains(message);
        assertThat(files()).isEqualTo(before);
    }

    private byte[] seal(String text) {
        return signet.input(text.getBytes(UTF_8))
                .ok("message", "seal", "--address", "orders", "--as", "alice")
                .bytes();
    }

    private Result open(byte[] envelope) {
        return signet.input(envelope).run("message", "open", "--address", "orders", "--as", "alice");
    }

    /** The identifier of the current key. */
    private String keyId() {
        return Json.parse(signet.ok("identity", "show", "alice", "--json").out())
                .path("chain")
                .get(0)
                .path("key-id")
                .asText();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith(".lock"))
                    .sorted()
                    .toList();
        }
    }
}
