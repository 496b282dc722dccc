/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

/** {@code signet doctor home}, and other commands where it has something to say. */
final class DoctorHomeTest {
    @TempDir
    private Path folder;

    private Path home;
    private CliRun signet;

    @BeforeEach
    void makeHome() {
        home = folder.resolve("signet-home");
        signet = new CliRun(folder);
        signet.given("identity create alice --dn CN=alice", "policy set orders --quality privacy --recipient alice");
    }

    private void open(String name, String mode) throws Exception {
        Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString(mode));
    }

    @Test
    void homeAsMade_nothingFound() {
        CliRun.Result result = signet.run("doctor", "home");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("nothing found");
    }

    @Test
    void nameOfTwoKeys_isListedWithBothFiles() throws Exception {
        CliRun other = new CliRun(folder.resolve("other"));
        Files.createDirectories(folder.resolve("other"));
        other.ok("identity", "create", "mallory", "--dn", "CN=Alice");
        Files.copy(folder.resolve("other/signet-home/recipients/mallory.pem"), home.resolve("recipients/mallory.pem"));

        CliRun.Result result = signet.run("doctor", "home");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).contains("'alice' and 'mallory' have one distinguished name");
    }

    @Test
    void openFiles_areListedWithTheirCommands() throws Exception {
        open("trust", "rwxrwxrwx");
        open("policies.json", "rw-rw-rw-");
        open("identities/alice.p12", "rw-r--r--");

        CliRun.Result result = signet.run("doctor", "home", "--quiet");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out().lines())
                .contains(
                        "    chmod go-w " + home.resolve("trust"),
                        "    chmod go-w " + home.resolve("policies.json"),
                        "    chmod 600 " + home.resolve("identities/alice.p12"))
                .hasSize(6);
    }

    @Test
    void json_listsPathWhatAndMend() throws Exception {
        open("trust", "rwxrwxrwx");

        CliRun.Result result = signet.run("doctor", "home", "--json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        JsonNode finding = Json.parse(result.out()).get("findings").get(0);
        assertThat(finding.get("path").asText()).isEqualTo(home.resolve("trust").toString());
        assertThat(finding.get("what").asText()).contains("other users than its owner may write");
        assertThat(finding.get("mend").asText()).isEqualTo("chmod go-w " + home.resolve("trust"));
    }

    @Test
    void passwordFileElsewhere_isLookedAtToo() throws Exception {
        Path password = Files.writeString(folder.resolve("pw"), "a password");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));

        CliRun.Result result = signet.run("doctor", "home", "--password-file", "pw");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).contains("chmod 600 " + password);
    }

    @Test
    void noHome_isSaid() {
        CliRun.Result result = signet.run("doctor", "home", "--home", "nowhere");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("home: no folder");
    }

    @Test
    void otherCommands_rejectAnOpenHome() throws Exception {
        open("trust", "rwxrwxrwx");

        for (String[] command : new String[][] {
            {"identity", "list"},
            {"identity", "create", "bob", "--dn", "CN=bob"},
            {"policy", "list"},
            {"policy", "set", "x", "--quality", "integrity"},
            {"message", "seal", "--address", "orders", "--as", "alice"}
        }) {
            CliRun.Result result = signet.run(command);
            assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(result.err()).contains(home.resolve("trust") + ": ").contains("run: chmod go-w ");
        }
    }
}
