/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.Tier;

/** An identity that signs with one key and receives with another, and a peer that knows its certificates. */
final class SeparateKeysTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() throws IOException {
        signet = new CliRun(folder);
        signet.ok("identity create root --dn CN=root --ca");
        peer("identity create bob --dn CN=bob");
        Files.writeString(folder.resolve("root.pem"), signet.out("identity export root"));
        peer("trust add root --in root.pem");
        signet.ok("trust add bob --in peer/recipients/bob.pem");
        signet.ok("certificate add bob --in peer/recipients/bob.pem");
    }

    private Result peer(String command) {
        return signet.ok("--home peer " + command);
    }

    private void handOver() {
        peer("certificate add alice --in signet-home/recipients/alice.pem");
    }

    @ParameterizedTest
    @CsvSource({"ec-p256", "ed25519"})
    void identityWithSeparateKeys_signsWithTheFirst_andOpensWithTheSecond(String algorithm) throws Exception {
        signet.ok("identity create alice --dn CN=alice --issuer root --separate-keys --key-algorithm", algorithm);
        Openssl openssl = new Openssl(folder);
        assertThat(openssl.line("x509 -in signet-home/recipients/alice.pem -noout -ext keyUsage"))
                .contains("Key Agreement")
                .doesNotContain("Digital Signature");
        assertThat(openssl.run(
                        "pkcs12", "-in", "signet-home/identities/alice.p12", "-passin", "pass:correct horse", "-nodes"))
                .contains("BEGIN PRIVATE KEY", "BEGIN CERTIFICATE");
    }

    @Tag(Tier.LONG)
    @Test
    void bothParties_exchangeMessages_whileEitherKeyIsRenewed() throws IOException {
        signet.ok("identity create alice --dn CN=alice --issuer root --separate-keys");
        assertThat(signet.out("identity list"))
                .containsPattern("alice .* receiving key, certificate\\R" + "alice .* signing key, certificate");
        handOver();
        peer("policy set to.alice --quality privacy --recipient alice --signer bob");
        peer("policy set to.bob --quality privacy --recipient bob --signer alice");
        signet.ok("policy set to.alice --quality privacy --recipient alice --signer bob");
        signet.ok("policy set to.bob --quality privacy --recipient bob --signer alice");
        byte[] first = sealForAlice("first");
        assertThat(openByAlice(first)).isEqualTo("first");
        assertThat(openByBob(sealForBob("one"))).isEqualTo("one");

        signet.ok("identity renew alice");
        handOver();
        assertThat(openByBob(sealForBob("two"))).isEqualTo("two");
        assertThat(openByAlice(sealForAlice("second"))).isEqualTo("second");

        signet.ok("identity renew alice --decrypt-key");
        handOver();
        assertThat(openByAlice(first)).isEqualTo("first");
        assertThat(openByAlice(sealForAlice("third"))).isEqualTo("third");
        assertThat(openByBob(sealForBob("three"))).isEqualTo("three");
    }

    @Test
    void nextSigningKey_isListedAsNext_untilItSigns() {
        signet.ok("identity create alice --dn CN=alice --issuer root --separate-keys");

        Result prepared = signet.ok("identity renew alice --later");

        String next = prepared.err().replaceAll("(?s).*--use ([0-9a-f]{16}).*", "$1");
        assertThat(signet.out("identity list"))
                .containsPattern("alice .* receiving key, certificate\\R"
                        + "alice .* signing key, certificate\\R"
                        + "alice .* " + next
                        + ".* (next|former) key, certificate"); // dates have no fractions of seconds
        signet.ok("identity renew alice --use", next);
        assertThat(signet.out("identity list"))
                .containsPattern("alice .* receiving key, certificate\\R"
                        + "alice .* " + next + ".* signing key, certificate\\R"
                        + "alice .* former key, certificate");
    }

    @Test
    void ordinaryIdentity_getsAKeyThatOnlyReceives() throws IOException {
        signet.ok("identity create alice --dn CN=alice --issuer root");
        handOver();
        peer("policy set to.alice --quality privacy --recipient alice");
        signet.ok("policy set to.alice --quality privacy --recipient alice");
        byte[] old = sealForAlice("old");

        signet.ok("identity renew alice --decrypt-key --key-algorithm ec-p384");
        handOver();

        assertThat(openByAlice(old)).isEqualTo("old");
        assertThat(openByAlice(sealForAlice("new"))).isEqualTo("new");
        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity renew root --decrypt-key"))
                .contains("an issuing identity receives no messages");
        Result weak = signet.run("identity renew alice --decrypt-key --key-algorithm ed25519");
        assertThat(weak.err()).contains("a key of this kind cannot receive");
    }

    private byte[] sealForAlice(String text) {
        return signet.input(text.getBytes(UTF_8))
                .ok("--home peer message seal --address to.alice --as bob")
                .bytes();
    }

    private byte[] sealForBob(String text) {
        return signet.input(text.getBytes(UTF_8))
                .ok("message seal --address to.bob --as alice")
                .bytes();
    }

    private String openByAlice(byte[] envelope) {
        return signet.input(envelope).out("message open --address to.alice --as alice");
    }

    private String openByBob(byte[] envelope) {
        return signet.input(envelope).out("--home peer message open --address to.bob --as bob");
    }
}
