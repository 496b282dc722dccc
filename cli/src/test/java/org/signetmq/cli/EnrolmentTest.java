/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.Tier;

/** Certificates on request: of a home of its own for the issuer, and of a foreign issuer. */
final class EnrolmentTest {
    @TempDir
    private Path folder;

    private CliRun signet;
    private Openssl openssl;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        openssl = new Openssl(folder);
    }

    @Test
    void homeOfTheIssuer_signsRequests_andNeverSeesThePrivateKey() throws Exception {
        signet.ok("--home ca identity create root --dn CN=root,O=Example --ca");
        Result requested = signet.ok("identity request bob --dn CN=bob,O=Example --out bob.csr");
        assertThat(requested.err())
                .contains("bob: request for CN=bob,O=Example, ec-p256, key id ", "identity import bob");
        assertThat(openssl.line("req -verify -noout -subject -in bob.csr"))
                .contains("verify OK", "O = Example, CN = bob");
        Path key = folder.resolve("signet-home/identities/pending/bob.p12");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(signet.out("identity list"))
                .containsPattern("bob +CN=bob,O=Example +ec-p256 +[0-9a-f]{40} +pending request");

        Result signed = signet.ok("--home ca identity sign --issuer root --in bob.csr --days 30 --out bob.pem");

        assertThat(signed.err()).contains("signed: CN=bob,O=Example, ec-p256, key id ");
        assertThat(names(folder.resolve("ca/identities"))).doesNotContain("bob.p12");
        Files.writeString(folder.resolve("root.pem"), signet.out("--home ca identity export root"));
        assertThat(openssl.line("verify -x509_strict -purpose smimesign -CAfile root.pem bob.pem"))
                .contains("OK");
        assertThat(openssl.line("x509 -in bob.pem -noout -ext basicConstraints,keyUsage"))
                .contains("CA:FALSE", "Digital Signature, Key Agreement");
        signet.ok("trust add root --in root.pem");
        Result imported = signet.ok("identity import bob --in bob.pem");
        assertThat(imported.out()).matches("bob: CN=bob,O=Example, ec-p256, key id .*, valid until .*Z\\R");
        assertThat(imported.err()).doesNotContain("warning");
        assertThat(key).doesNotExist();
        assertThat(Instant.parse(shown("bob").path("not-after").asText()))
                .isBetween(
                        Instant.now().plus(Duration.ofDays(29)), Instant.now().plus(Duration.ofDays(30)));
        assertThat(signet.out("identity list")).doesNotContain("pending");
        assertOpensOwn("bob");

        assertThat(signet.out("identity import bob --in bob.pem")).endsWith(", nothing to do\n");
    }

    @Test
    void pendingRequest_isWrittenAgain_untilItIsDiscarded() {
        String first = signet.out("identity request bob --dn CN=bob");

        assertThat(signet.withoutPassword().out("identity request bob --dn", "cn = Bob"))
                .isEqualTo(first);
        assertThat(signet.out("identity request bob")).isEqualTo(first);
        assertThat(signet.fails(ExitCode.FAILURE, "identity request bob --dn CN=robert"))
                .contains("another request is pending, for CN=bob, ec-p256", "--discard");
        assertThat(signet.run("identity request bob --key-algorithm ec-p384").exitCode())
                .isEqualTo(ExitCode.FAILURE);

        assertThat(signet.out("identity request bob --discard")).isEqualTo("bob: pending request discarded\n");
        assertThat(signet.fails(ExitCode.FAILURE, "identity request bob --discard"))
                .contains("has no pending request");
    }

    @Tag(Tier.LONG)
    @Test
    void certificateOfACorporateIssuer_comesWithItsChainInAnyOrder_andIsRenewed() throws Exception {
        corporateIssuer();
        signet.ok("identity request alice --dn CN=alice,O=Example --out a1.csr");
        issue("a1.csr", "a1.pem");
        Files.writeString(folder.resolve("all.pem"), read("root.pem") + read("sub.pem") + read("a1.pem"));
        openssl.line("crl2pkcs7 -nocrl -certfile all.pem -outform DER -out a1.p7b");

        Result untrusted = signet.ok("identity import alice --in a1.p7b");
        assertThat(untrusted.err())
                .contains("warning: this home does not trust the certificate yet", "signet trust add");
        Result trusted = signet.ok("trust add corp-root --in all.pem");
        assertThat(trusted.out()).contains("result       added", "dn           CN=corp-root", "sha-256      ");
        assertThat(trusted.err()).contains("not trusted by itself: CN=alice", "not trusted by itself: CN=corp-sub");
        signet.ok("policy set orders --quality privacy --recipient alice");
        byte[] old = seal("old");
        String former = keyId("alice");

        signet.ok("identity request alice --key-algorithm ec-p384 --out a2.csr");
        issue("a2.csr", "a2.pem");
        signet.ok("identity import alice --in a2.pem --in sub.pem");

        assertThat(keyId("alice")).isNotEqualTo(former);
        assertThat(open(old).out()).isEqualTo("old");
        assertThat(open(seal("new")).out()).isEqualTo("new");
        assertThat(signet.out("identity list")).contains(former);

        signet.ok("identity request alice --same-key --out a3.csr");
        issue("a3.csr", "a3.pem");
        String present = keyId("alice");
        signet.ok("identity import alice --in a3.pem --in sub.pem");
        assertThat(keyId("alice")).isEqualTo(present);
        assertThat(open(seal("third")).out()).isEqualTo("third");

        signet.ok("--home other trust add corp-root --in root.pem");
        Result added = signet.ok("--home other certificate add alice --in signet-home/recipients/alice.pem");
        assertThat(added.err()).doesNotContain("warning");
        assertThat(signet.out("--home other certificate list"))
                .containsPattern("alice +CN=alice,O=Example +20\\S+ +2 +yes +[0-9A-F:]{95}");
    }

    @Test
    void requestedExtensions_areIgnored_andRightsOfAnIssuerNeedTheOption() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        openssl.line("ecparam -genkey -name prime256v1 -noout -out k.pem");
        openssl.line("req -new -key k.pem -subj /CN=mallory -out m.csr -addext basicConstraints=critical,CA:TRUE"
                + " -addext keyUsage=keyCertSign -addext subjectAltName=email:root@example.org");

        signet.ok("identity sign --issuer root --in m.csr --dn CN=mal,O=X --out m.pem");

        assertThat(openssl.line("x509 -in m.pem -noout -text"))
                .contains("CA:FALSE", "O = X, CN = mal")
                .doesNotContain("Certificate Sign", "root@example.org");
        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity sign --issuer root --in m.csr --ca"))
                .contains("allows no other issuer below it (path length 0)");
    }

    @Test
    void requestForTheNameOfAnotherKey_isRefused_untilTheOperatorWritesIt() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        signet.ok("identity create bob --dn CN=bob,O=Example --issuer root");
        request("mallory.csr", "/O=Example/CN=Bob");

        assertThat(signet.fails(
                        ExitCode.CONFIGURATION, "identity sign --issuer root --in mallory.csr --out mallory.pem"))
                .contains(
                        "request: CN=Bob,O=Example, ec-p256, key id ",
                        "this home gives this name to another key: bob",
                        "write its name: --dn DN");
        assertThat(folder.resolve("mallory.pem")).doesNotExist();
        signet.ok("identity sign --issuer root --in mallory.csr --dn CN=bob,O=Example --out mallory.pem");
        assertThat(folder.resolve("mallory.pem")).exists();
    }

    @Test
    void secondKeyForAnIssuedName_isRefused_untilTheOperatorWritesIt_andTheSameKeyIsARenewal() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        String bob = sign(request("bob.csr", "/O=Example/CN=bob")).err();
        String bobsKey = bob.replaceAll("(?s).*signed: .*key id ([0-9a-f]{40}).*", "$1");

        assertThat(signet.fails(
                        ExitCode.CONFIGURATION,
                        "identity sign --issuer root --in",
                        request("m.csr", "/CN=BOB/O=example")))
                .contains("this home gave this name to another key: " + bobsKey + ", valid until 20", "--dn DN");
        assertThat(sign("bob.csr").err()).doesNotContain("warning");
        assertThat(sign(request("c.csr", "/CN=bob")).err()).doesNotContain("warning"); // another name
        Result approved = sign("m.csr", "--dn", "O=Example,CN=bob");
        assertThat(approved.err())
                .contains(
                        "warning: other keys have certificates of this home with the same distinguished name that have"
                                + " not ended: "
                                + bobsKey);
        sign("m.csr"); // it has the name now
        assertRefused("bob.csr", "this home gave this name to another key: "); // a stolen key does not renew itself
        Result created = signet.ok("identity create bob --dn CN=Bob,O=Example --issuer root");
        assertThat(created.err()).contains("warning: other keys have certificates of this home with the same");
    }

    @Test
    void keyThatLostItsNameElsewhere_doesNotRenewItself() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        sign(request("bob.csr", "/O=Example/CN=bob"));
        signet.ok("--home elsewhere identity create other --dn CN=other --ca");
        signet.ok("--home elsewhere identity create bob --dn CN=bob,O=Example --issuer other");

        signet.ok("trust add other --in elsewhere/trust/other.pem");
        signet.ok("certificate add bob --in elsewhere/recipients/bob.pem");

        assertRefused("bob.csr", "this home gives this name to another key: bob");
        sign("bob.csr", "--dn", "CN=bob,O=Example");
    }

    @Test
    void keyWithManyCertificates_isRenewedByTheOperatorAlone() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        sign(request("bob.csr", "/CN=bob"));
        Files.writeString(record(), Files.readString(record()).repeat(200));

        assertRefused("bob.csr", " has 200 certificates of 'CN=bob' that have not ended");
        sign("bob.csr", "--dn", "CN=bob");
    }

    @Test
    void issuedCertificates_areListedWithSerialNumberAndKey() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        sign(request("bob.csr", "/CN=bob"));
        signet.ok("identity create alice --dn CN=alice --issuer root --separate-keys");
        signet.ok("identity renew alice --same-key");
        signet.ok("identity renew alice --later");
        signet.ok("identity renew alice --dry-run");
        signet.ok("identity create carol --dn CN=carol");

        JsonNode issued = signet.json("certificate list --issued --json").path("issued");

        assertThat(issued.findValuesAsText("dn"))
                .containsExactly("CN=alice", "CN=alice", "CN=alice", "CN=alice", "CN=bob");
        assertThat(issued.findValuesAsText("issuer")).containsOnly("CN=root");
        assertThat(issued.findValuesAsText("issuer-key-id")).containsOnly(keyId("root"));
        assertThat(issued.findValuesAsText("serial-number"))
                .doesNotHaveDuplicates()
                .allMatch(serial -> serial.length() == 32);
        assertThat(issued.findValuesAsText("has-ended")).containsOnly("false");
        assertThat(signet.out("certificate list --issued"))
                .startsWith("SERIAL NUMBER ")
                .containsPattern("[0-9a-f]{32} +CN=bob +CN=root +" + keyId("root") + " +[0-9a-f]{40} +20\\S+Z +no");
        try (Stream<Path> files = Files.list(folder.resolve("signet-home/issued"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".pem"))).hasSize(2);
        }
    }

    @Test
    void certificatesOfARenewedRoot_areListedWithTheKeyThatIssuedThem() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        sign(request("bob.csr", "/CN=bob"));
        String former = keyId("root");
        signet.ok("identity renew root");
        sign(request("carol.csr", "/CN=carol"));

        Result listed = signet.ok("certificate list --issued");

        assertThat(listed.out())
                .containsPattern("CN=bob +CN=root +" + former)
                .containsPattern("CN=carol +CN=root +" + keyId("root"));
    }

    @Test
    void recordOfIssuedCertificates_thatIsChangedByHand_refusesTheNameAlone() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        sign(request("bob.csr", "/CN=bob"));
        Path record = record();
        String good = Files.readString(record);
        request("mallory.csr", "/CN=bob");

        Files.writeString(record, "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
        assertRefused("mallory.csr", "holds something that is not a certificate; it is the record of issued");
        Files.writeString(record, "");
        assertRefused("bob.csr", "it is the record of issued certificates: restore it from a backup");
        sign(request("carol.csr", "/CN=carol"));
        Files.writeString(record, read("signet-home/trust/root.pem"));
        assertRefused("bob.csr", "is for another name; it is the record of issued");
        Files.writeString(record, good);
        Files.setPosixFilePermissions(record, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertRefused("bob.csr", "other users");
        Files.setPosixFilePermissions(record, PosixFilePermissions.fromString("rw-r--r--"));
        Result list = signet.ok("certificate list --issued");
        assertThat(list.out().lines()).hasSize(3);
        sign("bob.csr");
        Files.delete(record);
        Files.setPosixFilePermissions(record.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused("mallory.csr", "other users");
    }

    @Test
    void formerKeyOfAnIssuer_isRetiredByForceAlone() {
        signet.ok("identity create root --dn CN=root --ca");
        String former = keyId("root");
        signet.ok("identity renew root");

        Result refused = signet.run("identity retire root --key", former, "--broker", "tcp://127.0.0.1:1");

        assertThat(signet.fails(ExitCode.FAILURE, "identity retire root --key 0123456789abcdef"))
                .contains("has no former key 0123456789abcdef")
                .doesNotContain("--force");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err())
                .contains(
                        "'root': not retired: the identity issues certificates, and no broker knows which of them are in use",
                        "certificate list --issued");
        signet.ok("identity retire root --key", former, "--force");
    }

    @Test
    void nameThatSteersTheTerminal_isNotCreated_andIsShownWithoutIt() throws Exception {
        String steering = "CN=a\u001b[31mb";

        Result created = signet.run("identity create steering --dn", steering);
        openssl.line("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
                + " -nodes -keyout k.pem -out steering.pem -subj /" + steering);
        signet.ok("identity create bob --dn CN=bob");
        Files.copy(folder.resolve("steering.pem"), folder.resolve("signet-home/recipients/steering.pem"));

        assertThat(created.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(created.err())
                .contains("invisible or ambiguous character U+001B; write")
                .doesNotContain("\u001b");
        assertThat(signet.out("identity list")).contains("CN=a\\1B[31mb").doesNotContain("\u001b");
        assertThat(signet.out("identity show steering")).doesNotContain("\u001b");
    }

    private Path record() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("signet-home/issued"))) {
            return files.filter(file -> file.toString().endsWith(".pem"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Result sign(String file, String... more) {
        return signet.ok(Stream.concat(Stream.of("identity", "sign", "--issuer", "root", "--in", file), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void importedRoot_issuesASubordinateIssuer() throws Exception {
        openssl.line("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout rk.pem -out r.pem"
                + " -subj /CN=top -addext keyUsage=critical,keyCertSign,cRLSign");
        Files.setPosixFilePermissions(folder.resolve("rk.pem"), PosixFilePermissions.fromString("rw-------"));
        signet.ok("identity import top --in rk.pem --in r.pem --ca");
        signet.ok("--home below identity request sub --dn CN=sub --out sub.csr");
        signet.ok("identity sign --issuer top --in sub.csr --ca --out sub.pem");
        Result party = signet.run("--home below identity import sub --in sub.pem");
        assertThat(party.err()).contains("is the certificate of an issuer (CA), not of a party; --ca");
        signet.ok("--home below identity import sub --in sub.pem --ca");
        signet.ok("--home below identity create carol --dn CN=carol --issuer sub");

        assertThat(openssl.line("verify -x509_strict -CAfile r.pem -untrusted sub.pem below/recipients/carol.pem"))
                .contains("OK");
        assertThat(openssl.line("x509 -in sub.pem -noout -text")).contains("CA:TRUE, pathlen:0", "Certificate Sign");
        assertThat(signet.fails(
                        ExitCode.CONFIGURATION, "identity sign --issuer top --in", request("top.csr", "/CN=top")))
                .contains("asks for the distinguished name of its issuer");
    }

    @Test
    void forgedOrWeakRequests_areRefused() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        request("good.csr", "/CN=eve");
        openssl.line("req -in good.csr -outform DER -out good.der");
        byte[] der = Files.readAllBytes(folder.resolve("good.der"));
        int name = new String(der, ISO_8859_1).indexOf("eve");
        der[name] = 'E';
        Files.write(folder.resolve("forged.der"), der);
        openssl.line("req -new -newkey rsa:1024 -nodes -keyout w.pem -subj /CN=w -out weak.csr");
        openssl.line("req -new -sha1 -newkey rsa:2048 -nodes -keyout s.pem -subj /CN=s -out sha1.csr");
        String pss = "req -new -newkey rsa:2048 -nodes -keyout p.pem -subj /CN=p -sigopt rsa_padding_mode:pss";
        openssl.line(pss + " -sha256 -out pss.csr");
        openssl.line(pss + " -sha1 -out weak-pss.csr");

        assertRefused("forged.der", "did not prove to have the private key");
        assertRefused("weak.csr", "1024 bits");
        assertRefused("sha1.csr", "signature is of the unsupported kind");
        assertRefused("weak-pss.csr", "signature is of the unsupported kind");
        assertRefused("w.pem", "holds 0 certificate requests");
        for (String good : new String[] {"good.der", "pss.csr"}) {
            assertThat(signet.out("identity sign --issuer root --in", good)).contains("BEGIN CERTIFICATE");
        }
    }

    private void assertRefused(String file, String message) {
        Result result = signet.run("identity sign --issuer root --in", file);
        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains(message);
        assertThat(result.err().lines().filter(line -> !line.startsWith("signet: request: ")))
                .hasSize(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void certificateForAnotherKey_isRefused_andTheRequestStaysPending() throws Exception {
        corporateIssuer();
        signet.ok("identity request alice --dn CN=alice --out a.csr");
        issue(request("other.csr", "/CN=alice"), "other.pem");

        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity import alice --in other.pem"))
                .contains("holds no certificate for its key ", "pending request");
        assertThat(signet.out("identity list")).contains("pending request");
        Result unknown = signet.run("identity import bob --in other.pem");
        assertThat(unknown.err()).contains("identity 'bob': has no pending request", "holds no private key");
    }

    private void corporateIssuer() throws Exception {
        Files.writeString(
                folder.resolve("sub.ext"),
                "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\n");
        openssl.line(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
                        + " -nodes -keyout root.key -out root.pem -subj /CN=corp-root -addext keyUsage=critical,keyCertSign,cRLSign");
        openssl.line("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
                + " -nodes -keyout sub.key -out sub.csr -subj /CN=corp-sub");
        openssl.line("x509 -req -in sub.csr -CA root.pem -CAkey root.key -CAcreateserial -extfile sub.ext -days 90"
                + " -out sub.pem");
    }

    private void issue(String request, String certificate) throws Exception {
        Files.writeString(folder.resolve("leaf.ext"), """
                basicConstraints=critical,CA:FALSE
                keyUsage=critical,digitalSignature,keyAgreement
                extendedKeyUsage=emailProtection
                """);
        openssl.line("x509 -req -in " + request + " -CA sub.pem -CAkey sub.key -CAcreateserial -extfile leaf.ext"
                + " -days 60 -out " + certificate);
    }

    private String request(String file, String subject) throws Exception {
        openssl.line("req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout " + file + ".key -subj "
                + subject + " -out " + file);
        return file;
    }

    private String read(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    private void assertOpensOwn(String name) {
        signet.ok("policy set own --quality privacy --recipient", name);
        byte[] sealed = signet.input("text".getBytes(UTF_8))
                .ok("message seal --address own --as", name)
                .bytes();
        assertThat(signet.input(sealed).out("message open --address own --as", name))
                .isEqualTo("text");
    }

    private byte[] seal(String text) {
        return signet.input(text.getBytes(UTF_8))
                .ok("message seal --address orders --as alice")
                .bytes();
    }

    private Result open(byte[] envelope) {
        return signet.input(envelope).run("message open --address orders --as alice");
    }

    private String keyId(String name) {
        return shown(name).path("key-id").asText();
    }

    private JsonNode shown(String name) {
        return signet.json("identity show", name, "--json").path("chain").get(0);
    }

    private static List<String> names(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }
}
