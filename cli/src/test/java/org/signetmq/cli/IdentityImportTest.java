/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Openssl;

/** Imports identities that openssl and Java wrote, and refuses files that are wrong. */
final class IdentityImportTest {
    private static final String SECRET = "secret";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path shared;

    @TempDir
    private Path folder;

    /** All inputs, made once: a key of each form with its certificate. */
    @BeforeAll
    static void makeFiles() throws Exception {
        Openssl openssl = new Openssl(shared);
        config("leaf", "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,keyAgreement\n");
        config("rsa", "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,keyEncipherment\n");
        config("ca", "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n");
        config("server", "basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\n");
        openssl.line("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.key");
        openssl.line("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key");
        certificate("ec.key", "leaf", "/CN=alice/O=Example", "ec.crt");
        certificate("rsa.key", "rsa", "/CN=alice/O=Example", "rsa.crt");
        certificate("ec.key", "ca", "/CN=issuer", "ca.crt");
        certificate("ec.key", "server", "/CN=server", "server.crt");
        join("after.pem", "ec.key", "ec.crt");
        join("before.pem", "ec.crt", "ec.key");
        openssl.line("pkcs8 -topk8 -in ec.key -v2 aes-256-cbc -passout pass:secret -out ec.p8");
        join("encrypted.pem", "ec.p8", "ec.crt");
        openssl.line("pkcs8 -topk8 -in ec.key -v1 PBE-SHA1-3DES -passout pass:secret -out old.p8");
        join("pbe.pem", "old.p8", "ec.crt");
        openssl.line("rsa -in rsa.key -traditional -out rsa.trad");
        join("rsa-traditional.pem", "rsa.trad", "rsa.crt");
        openssl.line("rsa -in rsa.key -traditional -aes256 -passout pass:secret -out rsa.enc");
        join("rsa-encrypted.pem", "rsa.crt", "rsa.enc");
        openssl.line("ec -in ec.key -out ec.trad");
        openssl.line("ecparam -name prime256v1 -out parameters");
        join("ec-traditional.pem", "parameters", "ec.trad", "ec.crt");
        openssl.line("ec -in ec.key -des3 -passout pass:secret -out ec.enc");
        join("ec-encrypted.pem", "ec.enc", "ec.crt");
        openssl.line("pkcs12 -export -inkey ec.key -in ec.crt -name mine -passout pass:secret -out new.p12");
        openssl.line("pkcs12 -export -inkey rsa.key -in rsa.crt -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES"
                + " -macalg sha1 -passout pass:secret -out old.p12");
        openssl.line("pkcs12 -export -inkey ec.key -in ec.crt -keypbe NONE -passout pass:secret -out bare.p12");
        openssl.line("pkcs12 -export -inkey ec.key -in ec.crt -keypbe NONE -certpbe NONE -nomac -passout pass: -out"
                + " open.p12");
        openssl.line("pkcs12 -export -inkey ec.key -in ec.crt -passout pass: -out empty.p12");
        openssl.line("pkcs12 -export -inkey rsa.key -in rsa.crt -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES"
                + " -macalg sha1 -passout pass: -out old-empty.p12");
        openssl.line("pkcs8 -topk8 -nocrypt -in ec.key -outform DER -out key.der");
        openssl.line("x509 -in ec.crt -outform DER -out crt.der");
        stores();
        bad(openssl);
        try (Stream<Path> files = Files.list(shared)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
        join("open.pem", "ec.key", "ec.crt");
        Files.setPosixFilePermissions(shared.resolve("open.pem"), PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static void config(String name, String extensions) throws IOException {
        Files.writeString(
                shared.resolve(name + ".cnf"),
                "[req]\nutf8=yes\nstring_mask=utf8only\ndistinguished_name=dn\nx509_extensions=x\n[dn]\n[x]\n"
                        + extensions);
    }

    private static void certificate(String key, String kind, String subject, String file) throws Exception {
        String words = "req -x509 -utf8 -new -key " + key + " -config " + kind + ".cnf -days 100 -out " + file;
        new Openssl(shared)
                .run(Stream.concat(Stream.of(words.split(" ")), Stream.of("-subj", subject))
                        .toArray(String[]::new));
    }

    private static void join(String target, String... parts) throws IOException {
        StringBuilder text = new StringBuilder("Bag Attributes\n    friendlyName: mine\n");
        for (String part : parts) {
            text.append(Files.readString(shared.resolve(part)));
        }
        Files.writeString(shared.resolve(target), text);
    }

    /** A key store of Java, and one with two keys. */
    private static void stores() throws Exception {
        char[] password = SECRET.toCharArray();
        KeyStore ec = KeyStore.getInstance("PKCS12");
        ec.load(new ByteArrayInputStream(Files.readAllBytes(shared.resolve("new.p12"))), password);
        KeyStore rsa = KeyStore.getInstance("PKCS12");
        rsa.load(new ByteArrayInputStream(Files.readAllBytes(shared.resolve("old.p12"))), password);
        Certificate[] chain = ec.getCertificateChain("mine");
        KeyStore jks = KeyStore.getInstance("JKS");
        jks.load(null, null);
        jks.setKeyEntry("mine", ec.getKey("mine", password), password, chain);
        KeyStore two = KeyStore.getInstance("PKCS12");
        two.load(null, null);
        two.setKeyEntry("first", ec.getKey("mine", password), password, chain);
        String other = rsa.aliases().nextElement();
        two.setKeyEntry("second", rsa.getKey(other, password), password, rsa.getCertificateChain(other));
        try (OutputStream out = Files.newOutputStream(shared.resolve("java.jks"));
                OutputStream both = Files.newOutputStream(shared.resolve("two.p12"))) {
            jks.store(out, password);
            two.store(both, password);
        }
    }

    private static void bad(Openssl openssl) throws Exception {
        byte[] whole = Files.readAllBytes(shared.resolve("new.p12"));
        Files.write(shared.resolve("half.p12"), Arrays.copyOf(whole, whole.length / 2));
        String pem = Files.readString(shared.resolve("after.pem"));
        Files.writeString(shared.resolve("half.pem"), pem.substring(0, 100));
        Files.write(shared.resolve("huge.pem"), new byte[(1 << 20) + 1]);
        Files.writeString(shared.resolve("text.pem"), "this is no key\n");
        Files.writeString(shared.resolve("empty.pem"), "");
        Files.write(shared.resolve("java.jceks"), new byte[] {(byte) 0xce, (byte) 0xce, (byte) 0xce, (byte) 0xce, 0});
        join("swapped.pem", "ec.key", "rsa.crt");
        join("issuer.pem", "ec.key", "ca.crt");
        join("server.pem", "ec.key", "server.crt");
        certificate("ec.key", "leaf", "/CN=ali\u202ece", "bidi.crt");
        join("bidi.pem", "ec.key", "bidi.crt");
        openssl.line("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out weak.key");
        certificate("weak.key", "rsa", "/CN=weak", "weak.crt");
        join("weak.pem", "weak.key", "weak.crt");
        openssl.line("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -out curve.key");
        certificate("curve.key", "leaf", "/CN=curve", "curve.crt");
        join("curve.pem", "curve.key", "curve.crt");
        openssl.line("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit -out"
                + " explicit.key");
        join("explicit.pem", "explicit.key", "ec.crt");
        openssl.line("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pss.key");
        join("pss.pem", "pss.key", "rsa.crt");
        openssl.line("req -new -key ec.key -config leaf.cnf -subj /CN=late -out late.csr");
        openssl.line("x509 -req -in late.csr -signkey ec.key -days -1 -extfile leaf.cnf -extensions x -out late.crt");
        join("late.pem", "ec.key", "late.crt");
    }

    private CliRun signet() {
        return new CliRun(folder).environment("SIGNET_SOURCE_PASSWORD", SECRET);
    }

    private static String file(String name) {
        return shared.resolve(name).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "after.pem, ec-p256",
        "before.pem, ec-p256",
        "encrypted.pem, ec-p256",
        "pbe.pem, ec-p256",
        "rsa-traditional.pem, rsa-2048",
        "rsa-encrypted.pem, rsa-2048",
        "ec-traditional.pem, ec-p256",
        "ec-encrypted.pem, ec-p256",
        "new.p12, ec-p256",
        "old.p12, rsa-2048",
        "java.jks, ec-p256",
        "bare.p12, ec-p256",
    })
    void keyWithItsCertificate_isImported_andSignsAndOpens(String name, String algorithm) {
        CliRun signet = signet();

        Result imported = signet.ok("identity import alice --in", file(name));

        assertThat(imported.out()).startsWith("alice: O=Example,CN=alice, " + algorithm + ", key id ");
        assertThat(imported.err()).doesNotContain("warning").doesNotContain(SECRET);
        signet.ok("policy set own --quality privacy --recipient alice");
        byte[] sealed = signet.input("text".getBytes(UTF_8))
                .ok("message seal --address own --as alice")
                .bytes();
        assertThat(signet.input(sealed).out("message open --address own --as alice"))
                .isEqualTo("text");
        assertThat(signet.out("identity import alice --in", file(name))).endsWith("nothing to do\n");
    }

    @ParameterizedTest
    @CsvSource({"empty.p12, ec-p256", "old-empty.p12, rsa-2048", "open.p12, ec-p256"})
    void pkcs12WithoutAPasswordOrWithAnEmptyOne_isImported_andNoneIsAskedFor(String name, String algorithm) {
        assertThat(new CliRun(folder).out("identity import alice --in", file(name)))
                .contains(", " + algorithm + ", key id ");
    }

    @Test
    void keyAndCertificateOfTwoFiles_areImported_asDer_andOfStandardInput() throws IOException {
        signet().ok("identity import alice --in", file("key.der"), "--in", file("crt.der"));

        byte[] piped = Files.readAllBytes(shared.resolve("open.pem"));
        assertThat(signet().input(piped).out("identity import alice --in -")).endsWith("nothing to do\n");
    }

    @Test
    void secondKey_becomesCurrent_andTheFirstStaysFormer() {
        CliRun signet = signet();
        signet.ok("identity import alice --in", file("new.p12"));
        signet.ok("policy set own --quality privacy --recipient alice");
        byte[] sealed = signet.input("text".getBytes(UTF_8))
                .ok("message seal --address own --as alice")
                .bytes();

        signet.ok("identity import alice --in", file("rsa-encrypted.pem"));

        assertThat(signet.out("identity list"))
                .containsPattern("alice +O=Example,CN=alice +rsa-2048 .* key, certificate\\R"
                        + "alice +O=Example,CN=alice +ec-p256 .* key, certificate");
        assertThat(signet.input(sealed).out("message open --address own --as alice"))
                .isEqualTo("text");
    }

    @Test
    void formerKey_onlyOpens() throws Exception {
        CliRun signet = signet();
        signet.ok("identity import alice --in", file("new.p12"));
        Path recipient = folder.resolve("signet-home/recipients/alice.pem");
        String before = Files.readString(recipient);

        Result added = signet.ok("identity import alice --in", file("old.p12"), "--former");

        assertThat(added.err()).doesNotContain("others need");
        assertThat(recipient).content().isEqualTo(before);
        assertThat(signet.out("identity list"))
                .containsPattern("alice +O=Example,CN=alice +ec-p256 .* key, certificate\\R"
                        + "alice +[0-9a-f]{16} +former key");
        assertThat(signet.out("identity import alice --in", file("old.p12"), "--former"))
                .endsWith("nothing to do\n");
        String id = signet.json("identity show alice --json")
                .path("former")
                .path(0)
                .path("key-id")
                .asText();
        signet.ok("identity retire alice --key", id, "--force");
        assertThat(recipient).content().isEqualTo(before);
        assertThat(signet.out("identity list")).doesNotContain("former");
    }

    @Test
    void storeWithTwoKeys_namesThem_andTakesTheChosenOne() {
        assertThat(signet().fails(ExitCode.CONFIGURATION, "identity import alice --in", file("two.p12")))
                .contains("holds 2 private keys, 'first', 'second'; choose one: --alias NAME");

        assertThat(signet().out("identity import alice --in", file("two.p12"), "--alias", "second"))
                .contains("rsa-2048");
    }

    @Test
    void namesInUnicodeAndQuotes_areKept() throws Exception {
        certificate("ec.key", "leaf", "/CN=Zo\u00eb M\u00fcller, \"Ops\"/O=\u4f8b", "unicode.crt");
        CliRun signet = signet();

        signet.ok("identity import zoe --in", file("ec.key"), "--in", file("unicode.crt"));

        assertThat(signet.out("identity show zoe")).contains("Zo\u00eb M\u00fcller\\, \\\"Ops\\\"", "\u4f8b");
        signet.ok("identity request smith --dn", "CN=\"Smith, John\",O=Zo\u00eb", "--out", "smith.csr");
        assertThat(new Openssl(folder).line("req -in smith.csr -noout -subject -nameopt utf8,sep_comma_plus"))
                .contains("Smith, John", "Zo\u00eb");
    }

    @Test
    void exportedKeyStore_isReadByOpenssl_underTheNewPassword() throws Exception {
        CliRun signet = signet().environment("SIGNET_NEW_PASSWORD", "for export");
        signet.ok("identity import alice --in", file("new.p12"));

        Result exported = signet.ok("identity export alice --format p12 --out alice.p12");

        assertThat(exported.err()).contains("the private key of alice leaves the home, encrypted by the new password");
        assertThat(new Openssl(folder).run("pkcs12", "-in", "alice.p12", "-passin", "pass:for export", "-nodes"))
                .contains("BEGIN PRIVATE KEY", "BEGIN CERTIFICATE");
        assertThat(signet.run("identity export alice --format jks").err()).contains("--format: must be pem or p12");
    }

    @Test
    void changedPassword_isThatOfAllKeys() {
        CliRun signet = signet().environment("SIGNET_NEW_PASSWORD", "new one");
        signet.ok("identity create alice --dn CN=alice --days 10");
        signet.ok("identity renew alice");

        assertThat(signet.out("identity password alice")).isEqualTo("alice: password changed, 2 keys\n");

        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity renew alice")).contains("wrong password");
        signet.environment("SIGNET_PASSWORD", "new one").ok("identity renew alice");
        assertThat(signet.fails(ExitCode.FAILURE, "identity password bob")).contains("identity 'bob': not in");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--in half.p12 | 3 | truncated, or no PKCS#12",
                "--in half.pem | 3 | has no end line",
                "--in huge.pem | 3 | larger than 1048576 bytes",
                "--in text.pem | 3 | truncated, or no PKCS#12, JKS, PEM or DER file",
                "--in empty.pem | 3 | empty",
                "--in java.jceks | 3 | a JCEKS key store",
                "--in missing.pem | 3 | no such file",
                "--in . | 1 | a folder, not a file",
                "--in ec.key | 3 | holds no certificate; add the file of the certificate by another --in",
                "--in ec.crt | 3 | has no pending request",
                "--in swapped.pem | 3 | none of its certificates is that of its private key",
                "--in issuer.pem | 3 | is the certificate of an issuer (CA), not of a party; --ca imports",
                "--in ec.key --in ec.crt --ca | 3 | may not issue certificates; leave out --ca",
                "--in server.pem | 1 | extended key usage has neither emailProtection",
                "--in bidi.pem | 3 | characters that are invisible or ambiguous",
                "--in weak.pem | 1 | its RSA key has 1024 bits",
                "--in curve.pem | 3 | its private key is of an unsupported kind: its key is on an elliptic curve other",
                "--in explicit.pem | 3 | its EC key describes its curve by explicit parameters",
                "--in pss.pem | 3 | its RSA key is for RSASSA-PSS alone",
                "--in late.pem | 1 | expired on",
                "--in open.pem | 3 | other users than its owner may read or change this secret; run: chmod 600",
                "--in two.p12 --alias third | 3 | holds no private key 'third', but 'first', 'second'",
                "--in after.pem --former | 3 | can have no former key",
                "--in ec.crt --former | 2 | the files have none",
                "--in after.pem --former --ca | 2 | leave out the one or the other",
            })
    void wrongInput_isRefusedInOneLine_andWritesNothing(String arguments, int exitCode, String message)
            throws IOException {
        String[] words = Stream.concat(
                        Stream.of("identity", "import", "alice"),
                        Stream.of(arguments.split(" ")).map(word -> word.contains(".") ? file(word) : word))
                .toArray(String[]::new);

        Result result = signet().run(words);

        assertThat(result.err()).contains(message);
        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.err().lines().filter(line -> line.startsWith("signet: error:")))
                .hasSize(1);
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "new.p12",
        "old.p12",
        "java.jks",
        "bare.p12",
        "encrypted.pem",
        "pbe.pem",
        "rsa-encrypted.pem",
        "ec-encrypted.pem"
    })
    void wrongPassword_isRefused(String name) throws IOException {
        Result result =
                signet().environment("SIGNET_SOURCE_PASSWORD", "wrong").run("identity import alice --in", file(name));

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains(name + ": ", "wrong").doesNotContain(SECRET);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(files()).isEmpty();
    }

    @Test
    void passwordOfTheFile_isAskedFor_andThatOfTheHomeToo() {
        List<String> prompts = new ArrayList<>();
        CliRun signet = new CliRun(folder).withoutPassword().terminal(prompt -> {
            prompts.add(prompt);
            return (prompt.contains("new.p12") ? SECRET : "correct horse").toCharArray();
        });

        signet.ok("identity import alice --in", file("new.p12"));

        assertThat(prompts).hasSize(3);
        assertThat(prompts.get(0)).startsWith("Password of ");
        Result none = new CliRun(folder).run("identity import bob --in", file("new.p12"));
        assertThat(none.err()).contains("--source-password-file FILE or SIGNET_SOURCE_PASSWORD");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith(".lock"))
                    .toList();
        }
    }
}
