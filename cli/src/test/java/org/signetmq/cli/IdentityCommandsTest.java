/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

final class IdentityCommandsTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
    }

    @Test
    void create_showsTheKeyIdentifierAndKeepsThePrivateKeyToTheOwner() throws IOException {
        Result result = signet.run("identity", "create", "alice", "--dn", "CN=alice,O=Zoë & Söhne");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).matches("alice: CN=alice,O=Zoë & Söhne, ec-p256, key id [0-9a-f]{40}\\R");
        Path keyStore = folder.resolve("signet-home/identities/alice.p12");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyStore)))
                .isEqualTo("rw-------");
    }

    @Test
    void create_withIssuer_chainEndsAtTheIssuer() {
        signet.ok("identity", "create", "root", "--dn", "CN=root", "--ca", "--key-algorithm", "ec-p384");
        signet.ok("identity", "create", "alice", "--dn", "CN=alice", "--issuer", "root");

        JsonNode shown =
                Json.parse(signet.ok("identity", "show", "alice", "--json").out());

        assertThat(shown.path("schema").asInt()).isEqualTo(1);
        assertThat(shown.path("private-key").asBoolean()).isTrue();
        assertThat(shown.path("chain").findValuesAsText("dn")).containsExactly("CN=alice", "CN=root");
        assertThat(shown.path("chain").findValuesAsText("key-algorithm")).containsExactly("ec-p256", "ec-p384");
    }

    @Test
    void create_authority_isListedAndNoRecipient() {
        signet.ok("identity", "create", "root", "--dn", "CN=root", "--ca");

        assertThat(folder.resolve("signet-home/recipients/root.pem")).doesNotExist();
        assertThat(signet.ok("identity", "list").out()).contains("CN=root");
        assertThat(signet.run("policy", "set", "a", "--quality", "privacy", "--recipient", "root")
                        .exitCode())
                .isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void create_withIssuerThatIsNone_failsAndNamesTheOption() {
        signet.ok("identity", "create", "mallory", "--dn", "CN=mallory");

        Result result = signet.run("identity", "create", "fake", "--issuer", "mallory", "--dn", "CN=broker,O=Example");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err().lines())
                .anyMatch(line -> line.startsWith("signet: error: issuer 'mallory'") && line.contains("--ca"));
        assertThat(folder.resolve("signet-home/identities/fake.p12")).doesNotExist();
    }

    @Test
    void create_authorityWithIssuer_isRejected() {
        assertThat(signet.run("identity", "create", "x", "--dn", "CN=x", "--ca", "--issuer", "root")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void create_nameTaken_failsAndChangesNothing() throws IOException {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");
        byte[] before = Files.readAllBytes(folder.resolve("signet-home/identities/alice.p12"));

        Result result = signet.run("identity", "create", "alice", "--dn", "CN=mallory");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).startsWith("signet: error: identity 'alice': exists already");
        assertThat(folder.resolve("signet-home/identities/alice.p12")).hasBinaryContent(before);
    }

    @Test
    void create_badDistinguishedName_isAUsageError() {
        Result result = signet.run("identity", "create", "alice", "--dn", "alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--dn: no distinguished name");
        assertThat(folder.resolve("signet-home")).doesNotExist();
    }

    @Test
    void create_unknownKeyAlgorithm_namesThoseThatExist() {
        Result result = signet.run("identity", "create", "alice", "--dn", "CN=alice", "--key-algorithm", "dsa");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("'dsa' is none of ec-p256, ec-p384, ec-p521, rsa-2048");
    }

    @Test
    void listAndShow_withoutPassword_work() {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice", "--key-algorithm", "ed25519");
        signet.withoutPassword();

        Result list = signet.run("identity", "list");
        Result show = signet.run("identity", "show", "alice");

        assertThat(list.out())
                .containsPattern("alice +CN=alice +ed25519 +20[0-9T:Z-]+ +[0-9a-f]{40} +key, certificate");
        assertThat(show.out()).contains("dn             CN=alice").contains("key algorithm  ed25519");
    }

    @Test
    void list_certificateOfAnother_isListedWithoutPrivateKey() throws IOException {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");
        signet.ok("--home", "other", "identity", "create", "bob", "--dn", "CN=bob");
        Files.copy(folder.resolve("signet-home/recipients/alice.pem"), folder.resolve("other/recipients/alice.pem"));

        JsonNode list = Json.parse(
                signet.ok("identity", "list", "--json", "--home", "other").out());

        assertThat(list.path("identities").findValuesAsText("name")).containsExactly("alice", "bob");
        assertThat(list.path("identities").findValuesAsText("private-key")).containsExactly("false", "true");
    }

    @Test
    void list_emptyHome_isEmptyAndFine() throws Exception {
        Path home = Files.createDirectory(folder.resolve("signet-home"));

        Result result = signet.run("identity", "list");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void show_unknownName_failsWithAHint() throws Exception {
        Files.createDirectory(folder.resolve("signet-home"));

        Result result = signet.run("identity", "show", "nobody");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines())
                .containsExactly(
                        "signet: error: identity 'nobody': not in " + folder.resolve("signet-home"),
                        "signet: hint: signet identity list shows those that are");
    }

    @Test
    void export_isCertificatesOnly() {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");

        String pem = signet.withoutPassword().ok("identity", "export", "alice").out();

        assertThat(pem).startsWith("-----BEGIN CERTIFICATE-----\n").doesNotContain("PRIVATE KEY");
    }

    @Test
    void export_privateKey_warnsAndNeverOverwritesUnasked() throws IOException {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");
        Path file = folder.resolve("key.pem");

        Result first = signet.run("identity", "export", "alice", "--private-key", "--out", "key.pem");
        Result second = signet.run("identity", "export", "alice", "--private-key", "--out", "key.pem");

        assertThat(first.exitCode()).isZero();
        assertThat(first.err()).startsWith("signet: warning: the private key of alice leaves the home unencrypted");
        assertThat(file).content().startsWith("-----BEGIN PRIVATE KEY-----\n").contains("BEGIN CERTIFICATE");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(second.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(second.err()).contains("exists already").contains("hint: --force replaces it");
    }

    @Test
    void export_wrongPassword_exitsWith3AndWritesNothing() {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");

        Result result =
                signet.environment("SIGNET_PASSWORD", "wrong").run("identity", "export", "alice", "--private-key");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("signet: error: ")
                .doesNotContain("wrong horse")
                .contains("password");
    }
}
