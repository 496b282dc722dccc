/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

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
    void listThatEndedOrIsMissing_isWrong_whileStatesAreRequired() throws Exception {
        Path list = home.resolve("crl/corp.pem");
        try (OpensslIssuer issuer = new OpensslIssuer(folder.resolve("ca"), "corp")) {
            signet.ok("trust add corp --in", issuer.root().toString());
            signet.ok("identity request sam --dn CN=sam --out sam.csr");
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
            signet.ok("identity import sam --in", sam.toString());
            signet.ok("policy set orders --quality privacy --recipient sam");
            Files.move(folder.resolve("kept"), settings);
            assertThat(wrong("doctor"))
                    .contains("\nWRONG revocations: rejected: certificate CN=sam (serial ")
                    .contains("the list of CN=corp in crl/ ended on 2020-01-08T00:00:00Z; no valid list")
                    .containsPattern("\nWRONG policies: orders: .*; put a new list of the issuer into crl/ .*\n")
                    .doesNotContainPattern("WRONG .*put a new certificate");

            issuer.list(list, "20200101000000Z", "20400101000000Z");
            assertThat(signet.run("doctor --verbose").out())
                    .contains("\nok    revocations: crl files, ocsp off, fail hard\n")
                    .doesNotContain("certificate CN=");
        }
    }

    @Test
    void brokenCertificate_isWrong_withoutAStackTrace() throws Exception {
        Files.writeString(home.resolve("recipients/bob.pem"), "no certificate\u001b[2J");
        Files.writeString(home.resolve("trust/ro\u001bot.crt"), "");

        assertThat(wrong("doctor --verbose"))
                .contains("\nWRONG ")
                .contains("bob")
                .doesNotContain("Exception", "\tat ");
    }

    @Test
    void longNames_areCut() {
        signet.ok("policy set", "x".repeat(200), "--quality", "privacy", "--recipient", "alice");
        home.resolve("recipients/alice.pem").toFile().delete();

        assertThat(wrong("doctor --verbose").lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(5000));
    }

    @Test
    void administratorOfARemoteBroker_needsNoHome() throws Exception {
        CliRun elsewhere = new CliRun(Files.createDirectory(folder.resolve("desk")));

        assertThat(elsewhere.run("doctor --verbose --broker tcp://localhost:1").out())
                .doesNotContain(" home: ");
        assertThat(elsewhere
                        .run("doctor --broker tcp://localhost:1 --home none")
                        .out())
                .contains("WRONG home: ");
    }
}
