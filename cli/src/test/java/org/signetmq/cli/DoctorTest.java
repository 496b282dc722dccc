/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

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

    private void policies(Policy... policies) throws IOException {
        Files.write(
                home.resolve("policies.json"),
                PolicyFile.bytes(PolicySet.of(2, UnmatchedAddress.PASS, List.of(policies))));
    }

    private static Policy both(String recipient, String signer) {
        return Policy.privacy("both", List.of(recipient))
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of(signer), CertificateInclusion.INCLUDED))
                .with(new Enforcement(SignatureCheck.SIGNATURE, false, false, null, List.of(), RequiredKeys.BOTH));
    }

    @ParameterizedTest
    @CsvSource({"rsa-2048, rsa-2048", "ec-p384, P-384", "ml-dsa-65, ml-kem-768"})
    void authenticityForKeysThatCannotAgree_isWrong(String algorithm, String label) throws Exception {
        signet.ok("identity create other --dn CN=other --key-algorithm", algorithm);
        Policy agreed = Policy.authenticity("agreed", List.of("other"), KeyLimits.DEFAULT)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("alice"), CertificateInclusion.INCLUDED));

        policies(agreed);
        assertThat(wrong("doctor"))
                .contains("WRONG policies: agreed: messages are rejected: quality authenticity needs EC keys on one"
                        + " curve, found ")
                .contains("'alice' with P-256")
                .contains("'other' with " + label)
                .contains("; name parties with keys on one curve with signet policy set\n");
    }

    @Test
    void authenticityOnAnotherCurveThanThatOfTheHomesBroker_isAWarning() throws Exception {
        signet.ok("identity create broker --dn CN=broker");
        signet.ok("identity create other --dn CN=other --key-algorithm ec-p384");

        policies(Policy.authenticity("agreed", List.of("other"), KeyLimits.DEFAULT));
        assertThat(signet.ok("doctor").out())
                .contains(
                        "warn  policies: agreed: a broker of this home rejects messages in clear: quality authenticity"
                                + " needs EC keys on one curve, found 'other' with P-384, 'broker' with P-256; name parties");

        policies(Policy.authenticity("agreed", List.of("alice"), KeyLimits.DEFAULT));
        assertThat(signet.ok("doctor").out()).doesNotContain("authenticity");
    }

    @Test
    void companionThatIsMissing_orOfTheWrongKind_isWrong() throws Exception {
        policies(both("alice", "alice"));
        assertThat(wrong("doctor"))
                .contains("WRONG policies: both: messages are rejected: recipient: no certificate named 'alice.pq' in"
                        + " recipients/")
                .contains("WRONG policies: both: a signer that matches no signature: no certificate named 'alice.pq'")
                .contains("; put a new certificate into " + home.resolve("recipients") + ", or ");

        signet.ok("identity create alice.pq --dn CN=alice-pq");
        assertThat(wrong("doctor"))
                .contains("both: messages are rejected: recipient: the key of 'alice.pq' is ec-p256, where require:"
                        + " both needs a post-quantum one; ")
                .contains("both: a signer that matches no signature: the key of 'alice.pq' is ec-p256");

        signet.ok("identity create bob --dn CN=bob --key-algorithm ml-dsa-65");
        signet.ok("identity create bob.pq --dn CN=bob-pq --key-algorithm ml-dsa-65");
        policies(both("bob", "bob"));
        assertThat(wrong("doctor"))
                .contains("recipient: the key of 'bob' is ml-kem-768, where require: both needs a classical one")
                .contains("signature: the key of 'bob' is ml-dsa-65, where require: both needs a classical one");
    }

    @ParameterizedTest
    @CsvSource({
        "2999-01-31T00:00:00Z, until 2999-01-31T00:00:00Z messages of former versions are opened",
        "2020-01-31T00:00:00Z, ended at 2020-01-31T00:00:00Z"
    })
    void uncommittedMessages_areAWarning_withTheDate(String until, String words) throws Exception {
        Files.writeString(home.resolve("trust.json"), "{\"schema\": 1, \"uncommitted-until\": \"" + until + "\"}");

        assertThat(signet.ok("doctor").out())
                .containsPattern(
                        "(?m)^warn  revocations: trust.json: uncommitted-until: " + words + ".*; remove it from");
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
