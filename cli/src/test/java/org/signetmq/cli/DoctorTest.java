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
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

/** {@code signet doctor} without a broker. */
final class DoctorTest {
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

    private String wrong(String... command) {
        Result result = signet.run(command);
        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).doesNotContainPattern("[\\p{Cc}\\p{Cf}&&[^\\n]]");
        return result.out();
    }

    @Test
    void findings_areShown_andTheRestIsOneLine() throws Exception {
        assertThat(signet.ok("doctor").out()).isEqualTo("ok    6 checks found nothing wrong; --verbose shows all\n");

        Files.delete(home.resolve("recipients/alice.pem"));

        assertThat(signet.run("doctor").out().lines())
                .satisfiesExactly(
                        policies -> assertThat(policies).startsWith("WRONG policies: "),
                        rest -> assertThat(rest)
                                .isEqualTo("ok    5 more checks found nothing wrong; --verbose shows all"));
    }

    @Test
    void homeAsMade_isRight() {
        Result result = signet.ok("doctor", "--verbose");

        assertThat(result.out().lines())
                .satisfiesExactly(
                        home -> assertThat(home).isEqualTo("ok    home: " + this.home),
                        permissions -> assertThat(permissions).startsWith("ok    permissions: "),
                        names -> assertThat(names).startsWith("ok    names in certificates: "),
                        policies -> assertThat(policies).isEqualTo("ok    policies: 1, version 1"),
                        certificates ->
                                assertThat(certificates).isEqualTo("ok    certificates: 1 in recipients/, 1 in trust/"),
                        providers -> assertThat(providers)
                                .startsWith("ok    crypto providers: ")
                                .contains("SunJCE", "native provider: "));
    }

    @Test
    void noHome_isWrong() {
        assertThat(wrong("doctor", "--verbose", "--home", "nowhere"))
                .startsWith("WRONG home: no folder " + folder.resolve("nowhere") + "; name the home by --home DIR")
                .contains("\nok    crypto providers: ");
    }

    @Test
    void openFiles_areWrong_andTheContentIsNotJudged() throws Exception {
        Files.setPosixFilePermissions(home.resolve("trust"), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG permissions: " + home.resolve("trust") + ": other users than its owner may write")
                .contains("; chmod go-w " + home.resolve("trust"))
                .contains("\nwarn  policies and certificates: not checked while the permissions are wrong")
                .doesNotContain("ok    policies");
    }

    @Test
    void passwordFileElsewhere_isLookedAtToo() throws Exception {
        Path password = Files.writeString(folder.resolve("pw"), "a password");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(wrong("doctor", "--password-file", "pw")).contains("; chmod 600 " + password);
    }

    @Test
    void recipientThatIsGone_isWrong() throws Exception {
        Files.delete(home.resolve("recipients/alice.pem"));

        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG policies: orders: messages are rejected: recipient: no certificate named 'alice'")
                .contains("; put a new certificate into " + home.resolve("recipients"));
    }

    @Test
    void signerThatIsGone_isWrong() throws Exception {
        signet.ok("policy", "set", "prices", "--quality", "integrity", "--signer", "alice");
        Files.delete(home.resolve("recipients/alice.pem"));

        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG policies: prices: a signer that matches no signature: ");
    }

    @Test
    void settingsOfTrust_areJudged() throws Exception {
        Files.writeString(home.resolve("trust.json"), "{\"schema\": 1, \"revocation\": {\"fail\": \"soft\"}}");
        assertThat(signet.ok("doctor", "--verbose").out()).contains("\nwarn  revocations: fail is soft");

        Files.writeString(home.resolve("trust.json"), "{\"schema\": 1, \"revokation\": {}}");
        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG revocations: ", "revokation: unknown key (nearest: 'revocation')");
    }

    @Test
    void listThatEndedOrIsMissing_isWrong_whileStatesAreRequired() throws Exception {
        Path list = home.resolve("crl/corp.pem");
        try (OpensslIssuer issuer = new OpensslIssuer(folder.resolve("ca"), "corp")) {
            signet.ok("trust", "add", "corp", "--in", issuer.root().toString());
            signet.ok("identity", "request", "sam", "--dn", "CN=sam", "--out", "sam.csr");
            Path sam = issuer.sign(folder.resolve("sam.csr"));
            Files.writeString(home.resolve("trust.json"), "{\"schema\": 1, \"revocation\": {\"fail\": \"hard\"}}");

            assertThat(wrong("doctor"))
                    .startsWith("WRONG revocations: rejected: certificate CN=corp (serial ")
                    .contains("crl/ has no list of it; put a new list of the issuer into crl/ with signet trust add");

            issuer.list(list, "20200101000000Z", "20200108000000Z");
            assertThat(wrong("doctor"))
                    .contains("each certificate of this issuer may be revoked: "
                            + "its list in crl/ ended on 2020-01-08T00:00:00Z");

            Files.copy(issuer.root(), home.resolve("recipients/corp.pem")); // now each party counts
            Path settings = home.resolve("trust.json");
            Files.move(settings, folder.resolve("kept"));
            signet.ok("identity", "import", "sam", "--in", sam.toString());
            signet.ok("policy", "set", "orders", "--quality", "privacy", "--recipient", "sam");
            Files.move(folder.resolve("kept"), settings);
            assertThat(wrong("doctor"))
                    .contains("\nWRONG revocations: rejected: certificate CN=sam (serial ")
                    .contains("the list of CN=corp in crl/ ended on 2020-01-08T00:00:00Z; no valid list")
                    .containsPattern("\nWRONG policies: orders: .*; put a new list of the issuer into crl/ .*\n")
                    .doesNotContainPattern("WRONG .*put a new certificate");

            issuer.list(list, "20200101000000Z", "20400101000000Z");
            assertThat(signet.run("doctor", "--verbose").out())
                    .contains("\nok    revocations: crl files, ocsp off, fail hard\n")
                    .doesNotContain("certificate CN=");
        }
    }

    @Test
    void nameOfTwoKeys_isWrong() throws Exception {
        Files.createDirectories(folder.resolve("other"));
        new CliRun(folder.resolve("other")).ok("identity", "create", "mallory", "--dn", "CN=Alice");
        Files.copy(folder.resolve("other/signet-home/recipients/mallory.pem"), home.resolve("recipients/mallory.pem"));

        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG names in certificates: recipients/ and trust/: 'alice' and 'mallory' have one");
    }

    @Test
    void brokenPolicyFile_isWrong_andTheRestIsChecked() throws Exception {
        Files.writeString(home.resolve("policies.json"), "{ no policies");

        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG policies: " + home.resolve("policies.json") + ": cannot be used; ")
                .contains("\nok    certificates: ");
    }

    @Test
    void brokenCertificate_isWrong_withoutAStackTrace() throws Exception {
        Files.writeString(home.resolve("recipients/bob.pem"), "no certificate\u001b[2J");
        Files.writeString(home.resolve("trust/ro\u001bot.crt"), "");

        assertThat(wrong("doctor", "--verbose"))
                .contains("\nWRONG ")
                .contains("bob")
                .doesNotContain("Exception", "\tat ");
    }

    @Test
    void noPolicies_isRight() throws Exception {
        Files.delete(home.resolve("policies.json"));

        assertThat(signet.ok("doctor", "--verbose").out()).contains("ok    policies: 0, version 0");
    }

    @Test
    void longNames_areCut() {
        signet.ok("policy", "set", "x".repeat(200), "--quality", "privacy", "--recipient", "alice");
        home.resolve("recipients/alice.pem").toFile().delete();

        assertThat(wrong("doctor", "--verbose").lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(5000));
    }

    @Test
    void json_listsAllChecks() throws Exception {
        Files.delete(home.resolve("recipients/alice.pem"));

        JsonNode answer = Json.parse(wrong("doctor", "--json"));

        assertThat(answer.path("schema").intValue()).isEqualTo(1);
        JsonNode checks = answer.path("checks");
        assertThat(checks.path(0).path("area").textValue()).isEqualTo("home");
        assertThat(checks.path(0).path("level").textValue()).isEqualTo("ok");
        assertThat(checks.path(0).path("remedy").isNull()).isTrue();
        assertThat(checks.findValuesAsText("level")).contains("ok", "wrong");
    }

    @Test
    void connectionWithoutABroker_isAUsageError() {
        for (String option : new String[] {"--user", "--broker-password-file", "--management-address"}) {
            Result result = signet.run("doctor", option, "x");

            assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains("--broker: missing");
        }
    }

    @Test
    void brokerUrlThatIsNone_isAUsageError() {
        assertThat(signet.run("doctor", "--broker", "nonsense").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void brokerThatCannotBeReached_isWrong_andExitsWith4() {
        Result result = signet.run("doctor", "--verbose", "--broker", "tcp://localhost:1");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.out())
                .contains("ok    policies: ")
                .contains("\nWRONG broker: broker tcp://localhost:1: cannot be reached; is the broker up");
    }

    @Test
    void administratorOfARemoteBroker_needsNoHome() throws Exception {
        CliRun elsewhere = new CliRun(Files.createDirectory(folder.resolve("desk")));

        assertThat(elsewhere
                        .run("doctor", "--verbose", "--broker", "tcp://localhost:1")
                        .out())
                .doesNotContain(" home: ");
        assertThat(elsewhere
                        .run("doctor", "--broker", "tcp://localhost:1", "--home", "none")
                        .out())
                .contains("WRONG home: ");
    }

    @Test
    void help_showsTheGroupAndItsCommands() {
        assertThat(signet.ok("doctor", "--help").out())
                .contains("  signet doctor --broker ", "  signet doctor crypto", "  signet doctor home");
    }
}
