/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.testkit.Openssl;

/** Adds and removes certificates of other parties, trusted issuers and revocation lists. */
final class CertificateCommandsTest {
    @TempDir
    private Path folder;

    private CliRun signet;
    private Openssl openssl;

    /** Another home with a self-signed party, an issuer and a party of it. */
    @BeforeEach
    void setUp() throws IOException {
        signet = new CliRun(folder);
        openssl = new Openssl(folder);
        signet.given(
                "--home there identity create root --dn CN=root --ca",
                "--home there identity create carol --dn CN=carol --issuer root",
                "--home there identity create bob --dn CN=bob");
        Files.createDirectories(folder.resolve("signet-home"));
    }

    private Result there(String... command) {
        return signet.ok(
                Stream.concat(Stream.of("--home", "there"), Stream.of(command)).toArray(String[]::new));
    }

    private static String root() {
        return "there/trust/root.pem";
    }

    private static String carol() {
        return "there/recipients/carol.pem";
    }

    private static String bob() {
        return "there/recipients/bob.pem";
    }

    @Test
    void partyOfATrustedIssuer_isAdded_andASecondTimeIsNothingToDo() throws Exception {
        Result early = signet.run("certificate", "add", "carol", "--in", carol());
        assertThat(early.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(early.err()).contains("issued by CN=root", "trust its root first: signet trust add", "--untrusted");
        Result trusted = signet.ok("trust", "add", "root", "--in", root());
        String fingerprint = openssl.line("x509 -in " + root() + " -noout -fingerprint -sha256")
                .strip()
                .replaceAll(".*=", "");
        assertThat(trusted.out()).contains("sha-256      " + fingerprint, "result       added");

        Result added = signet.ok("certificate", "add", "carol", "--in", carol());

        assertThat(added.out()).contains("name         carol", "result       added", "issuer       CN=root");
        assertThat(added.err()).isEmpty();
        Path file = folder.resolve("signet-home/recipients/carol.pem");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        byte[] before = Files.readAllBytes(file);
        assertThat(signet.ok("certificate", "add", "carol", "--in", carol()).out())
                .contains("nothing to do");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(signet.ok("trust", "add", "root", "--in", root()).out()).contains("nothing to do");
    }

    @Test
    void selfSignedParty_needsTrustFirst_orTheOption() {
        Result early = signet.run("certificate", "add", "bob", "--in", bob());
        assertThat(early.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(early.err())
                .contains(
                        "certificate 'bob': SHA-256 fingerprint ",
                        "compare the fingerprint with its owner, then:" + " signet trust add bob --in FILE");

        Result untrusted = signet.ok("certificate", "add", "bob", "--in", bob(), "--untrusted");

        assertThat(untrusted.err()).contains("messages for bob are rejected until this home trusts it");
        assertThat(signet.ok("certificate", "list").out()).containsPattern("bob .* no +[0-9A-F:]{95}");
        signet.ok("trust", "add", "bob", "--in", bob());
        assertThat(signet.ok("certificate", "list").out()).containsPattern("bob .* yes +[0-9A-F:]{95}");
        assertThat(signet.ok("trust", "list").out()).containsPattern("bob +party +CN=bob ");
        JsonNode listed =
                Json.parse(signet.ok("certificate", "list", "--json").out()).path("certificates");
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).path("certificate").path("dn").asText()).isEqualTo("CN=bob");
    }

    @Test
    void renewedParty_keepsTheFormerCertificate() {
        signet.ok("trust", "add", "bob", "--in", bob());
        signet.ok("certificate", "add", "bob", "--in", bob());
        there("identity", "renew", "bob");

        assertThat(signet.ok("trust", "add", "bob", "--in", bob()).out()).contains("renewed; the former");
        Result renewed = signet.ok("certificate", "add", "bob", "--in", bob());

        assertThat(renewed.out()).contains("result       renewed; the former certificates stay");
        assertThat(signet.ok("certificate", "list").out()).containsPattern("bob +CN=bob +20\\S+ +1 +yes");
        assertThat(Json.parse(signet.ok("identity", "show", "bob", "--json").out())
                        .path("former"))
                .hasSize(1);
    }

    @Test
    void partyThatAPolicyNames_isNotRemoved_withoutForce() {
        signet.ok("trust", "add", "root", "--in", root());
        signet.ok("certificate", "add", "carol", "--in", carol());
        signet.ok("policy", "set", "by.name", "--quality", "confidentiality", "--recipient", "carol");
        signet.ok("policy", "set", "by.dn", "--quality", "confidentiality", "--recipient", "CN=carol");
        signet.ok("policy", "set", "by.issuer", "--quality", "integrity", "--signer", "CN=x; issuer=root");

        Result refused = signet.run("certificate", "remove", "carol");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err()).contains("certificate 'carol': policies need it: ", "by.name", "by.dn");
        assertThat(refused.err()).doesNotContain("by.issuer");
        Result issuer = signet.run("trust", "remove", "root");
        assertThat(issuer.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(issuer.err()).contains("trust 'root': policies need it: by.dn, by.issuer, by.name", "--force");

        Result forced = signet.ok("certificate", "remove", "carol", "--force");
        assertThat(forced.err()).contains("policies still name carol");
        Result again = signet.run("certificate", "remove", "carol", "--force");
        assertThat(again.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(again.err()).contains("certificate 'carol': not in ");
        assertThat(signet.run("trust", "remove", "root").err()).contains("policies need it: by.issuer");
        signet.ok("policy", "remove", "by.issuer");
        assertThat(signet.ok("trust", "remove", "root").out()).isEqualTo("root: no longer trusted\n");
        assertThat(signet.run("trust", "remove", "root").err()).contains("trust 'root': not in ");
    }

    @Test
    void partyForRecoveryOrOfAPatternWithVariables_isNotRemoved_withoutForce() {
        signet.ok("trust", "add", "root", "--in", root());
        signet.ok("certificate", "add", "carol", "--in", carol());
        signet.ok("certificate", "add", "carol-archive", "--in", carol());
        signet.ok("policy", "set", "tenant.{t}.#", "--quality", "confidentiality", "--recipient", "{t}-archive");
        signet.ok("policy", "recovery", "carol");

        assertThat(signet.run("certificate", "remove", "carol").err()).contains("policies need it: (recovery)");
        assertThat(signet.run("certificate", "remove", "carol-archive").err())
                .contains("policies need it: tenant.{t}.#");
    }

    @Test
    void bundleOfPkcs7_givesTheParty_andItsIssuersInAnyOrder() throws Exception {
        Files.writeString(
                folder.resolve("all.pem"),
                Files.readString(folder.resolve(root())) + Files.readString(folder.resolve(carol())));
        openssl.line("crl2pkcs7 -nocrl -certfile all.pem -out all.p7b");
        openssl.line("x509 -in " + root() + " -outform DER -out root.der");

        assertThat(signet.ok("trust", "add", "root", "--in", "all.p7b").err())
                .contains("not trusted by itself: CN=carol");
        assertThat(signet.ok("trust", "add", "root", "--in", "root.der").out()).contains("nothing to do");
        assertThat(signet.ok("certificate", "add", "carol", "--in", "all.p7b").out())
                .contains("dn           CN=carol");
        assertThat(Files.readString(folder.resolve("signet-home/recipients/carol.pem")))
                .isEqualTo(Files.readString(folder.resolve(carol())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openssl pkcs12 -export -nokeys -in there/trust/root.pem -passout pass:changeit -out store",
                "openssl pkcs12 -export -nokeys -in there/trust/root.pem -certpbe NONE -nomac -passout pass: -out store",
                "keytool -importcert -noprompt -alias r -file there/trust/root.pem -keystore store -storepass changeit",
                "keytool -importcert -noprompt -alias r -file there/trust/root.pem -keystore store -storetype JKS"
                        + " -storepass changeit",
            })
    void keyStoreOfCertificatesAlone_isReadLikeAnyFileOfThem(String command) throws Exception {
        Process made = new ProcessBuilder(command.split(" "))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
        signet.environment("SIGNET_SOURCE_PASSWORD", "changeit");

        assertThat(signet.ok("trust", "add", "root", "--in", "store").out())
                .contains("dn           CN=root", "result       added");
        Result party = signet.run("certificate", "add", "carol", "--in", "store");
        assertThat(party.err()).contains("is the certificate of an issuer (CA), not of a party");
        if (!command.contains("JKS") && !command.contains("nomac")) {
            Result wrong = new CliRun(folder)
                    .environment("SIGNET_SOURCE_PASSWORD", "wrong")
                    .run("trust", "add", "other", "--in", "store");
            assertThat(wrong.err()).contains("store: wrong password");
        }
    }

    @Test
    void revocationList_isAdded_onlyIfItsIssuerIsTrusted_andNotInPlaceOfALaterOne() throws Exception {
        issuerWithLists();
        Result early = signet.run("trust", "add", "corp", "--in", "second.crl");
        assertThat(early.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(early.err()).contains("is not signed by a certificate in", "trust its issuer first");
        signet.ok("trust", "add", "corp", "--in", "corp.pem");

        Result added = signet.ok("trust", "add", "corp", "--in", "second.crl");

        assertThat(added.out()).matches("corp: revocation list of CN=corp, 1 revoked, next update 20.*Z\\R");
        assertThat(folder.resolve("signet-home/crl/corp.pem")).exists();
        assertThat(signet.ok("trust", "add", "corp", "--in", "second.crl").out())
                .isEqualTo("corp: nothing to do\n");
        assertThat(signet.ok("trust", "list").out()).containsPattern("corp +CN=corp +20\\S+ +20\\S+ +1\\R");
        Result older = signet.run("trust", "add", "corp", "--in", "first.crl");
        assertThat(older.err()).contains("older than the one that is there");
        Result late = signet.run("trust", "add", "corp", "--in", "late.crl");
        assertThat(late.err()).contains("is past its next update");
        Result kept = signet.run("trust", "remove", "corp", "--crl");
        assertThat(kept.err()).contains("it revokes 1 certificate, which");
        assertThat(signet.ok("trust", "remove", "corp", "--crl", "--force").out())
                .isEqualTo("corp: revocation list removed\n");
        assertThat(folder.resolve("signet-home/trust/corp.pem")).exists();
    }

    private void issuerWithLists() throws Exception {
        Files.writeString(
                folder.resolve("ca.cnf"),
                "[ca]\ndefault_ca=c\n[c]\ndatabase=index\ncrlnumber=number\ndefault_md=sha256\n");
        openssl.line("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout corp.key -out corp.pem"
                + " -subj /CN=corp -addext keyUsage=critical,keyCertSign,cRLSign");
        Files.writeString(folder.resolve("index"), "R\t301231235959Z\t200101000000Z\t4711\tunknown\t/CN=dave\n");
        Files.writeString(folder.resolve("number"), "01\n");
        list("first.crl", "-crl_lastupdate 20260101000000Z -crl_nextupdate 20991231235959Z");
        list("second.crl", "-crl_lastupdate 20260601000000Z -crl_nextupdate 20991231235959Z");
        list("late.crl", "-crl_lastupdate 20260701000000Z -crl_nextupdate 20260702000000Z");
    }

    private void list(String file, String dates) throws Exception {
        openssl.line("ca -gencrl -config ca.cnf -keyfile corp.key -cert corp.pem -out " + file + " " + dates);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "certificate add carol --in there/trust/root.pem | 3 | is the certificate of an issuer (CA), not of a party",
                "trust add carol --in there/recipients/carol.pem | 3 | may not issue certificates; trust its issuer 'CN=root'",
                "certificate add bob --in key.pem | 3 | holds a private key, which does not belong there",
                "trust add bob --in key.pem | 3 | holds a private key, which does not belong there",
                "certificate add bob --in there/identities/bob.p12 | 3 | holds a private key",
                "certificate add both --in both.pem | 3 | holds certificates of two parties, 'CN=bob' and 'CN=carol'",
                "trust add both --in roots.pem | 3 | holds two issuers, 'CN=root' and 'CN=bob'",
                "certificate add ../bob --in there/recipients/bob.pem | 3 | name: must be 1 to 64 letters",
                "certificate add own --in there/recipients/bob.pem | 3 | is an identity of this home",
                "trust add own --in there/trust/bob.pem | 3 | is an identity of this home",
                "certificate remove own | 1 | is an identity of this home",
                "trust remove own | 1 | is an identity of this home",
                "certificate add bob --in text | 3 | truncated, or no PKCS#12",
                "certificate add bob --in absent | 3 | no such file",
                "trust add corp --in explicit.crt | 3 | its EC key describes its curve by explicit parameters",
                "trust add corp --in pss.crt | 1 | its RSA key is for RSASSA-PSS alone",
                "trust remove corp --crl | 1 | revocation list 'corp': not in",
            })
    void wrongInput_isRefused_andChangesNothing(String command, int exitCode, String message) throws IOException {
        signet.ok("identity", "create", "own", "--dn", "CN=own");
        Files.writeString(
                folder.resolve("key.pem"),
                there("identity", "export", "bob", "--private-key").out());
        Files.setPosixFilePermissions(folder.resolve("key.pem"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(folder.resolve(bob())) + Files.readString(folder.resolve(carol())));
        Files.writeString(
                folder.resolve("roots.pem"),
                Files.readString(folder.resolve(root())) + Files.readString(folder.resolve(bob())));
        Files.writeString(folder.resolve("text"), "no certificate");
        if (command.contains(".crt")) {
            openssl.line("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit -nodes"
                    + " -keyout explicit.key -out explicit.crt -subj /CN=corp -addext keyUsage=critical,keyCertSign");
            openssl.line("req -x509 -newkey rsa-pss -pkeyopt rsa_keygen_bits:2048 -nodes -keyout pss.key -out pss.crt"
                    + " -subj /CN=corp -addext keyUsage=critical,keyCertSign");
        }
        List<Path> before = files();

        Result result = signet.run(command.split(" "));

        assertThat(result.err()).contains(message);
        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void otherPartyUnderAKnownName_isRefused_andASharedNameIsAWarning() {
        signet.ok("trust", "add", "bob", "--in", bob());
        signet.ok("certificate", "add", "bob", "--in", bob());
        signet.ok("--home", "third", "identity", "create", "bob", "--dn", "CN=bob");
        String other = "third/recipients/bob.pem";

        assertThat(signet.run("certificate", "add", "bob", "--in", carol(), "--untrusted")
                        .err())
                .contains("'bob': is 'CN=bob' in ", "choose another name");
        signet.ok("trust", "add", "bob2", "--in", other);
        assertThat(signet.ok("certificate", "add", "bob2", "--in", other).err())
                .contains("the same distinguished name with another key has: bob; policies must name each by its name");
        signet.ok("policy", "set", "orders", "--quality", "privacy", "--recipient", "bob", "--recipient", "bob2");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("signet-home"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
