/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.envelope.Opener;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.SoftHsm;
import org.signetmq.testkit.Tier;

/** Commands with a key in the real SoftHSM 2. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TokenCommandsTest {
    private static final byte[] PAYLOAD = "hello".getBytes(UTF_8);

    @TempDir
    private static Path folder;

    private static SoftHsm token;

    @BeforeAll
    static void make() throws IOException {
        token = SoftHsm.make(folder.resolve("tokens"), "signet");
        CliRun signet = new CliRun(folder);
        signet.ok("identity create alice --dn CN=alice");
        Path home = folder.resolve("signet-home");
        token.generate("hsm", home.resolve("recipients/hsm.pem"), home.resolve("trust/hsm.pem"));
        signet.ok("policy set orders --quality privacy --recipient hsm --recipient alice");
    }

    private static CliRun signet() {
        return new CliRun(folder).environment("SIGNET_PIN", SoftHsm.PIN);
    }

    /** Before the others, because a process that has logged in needs no PIN any more. */
    @Test
    @Order(1)
    void wrongPin_isOneLineWithoutThePin() {

        assertThat(signet().environment("SIGNET_PIN", "8765-wrong")
                        .input(PAYLOAD)
                        .fails(
                                ExitCode.CONFIGURATION,
                                "message seal --address orders --as hsm --key-store",
                                token.uri()))
                .startsWith("signet: error: token 'signet': it does not accept the PIN (CKR_PIN_INCORRECT)")
                .doesNotContain("8765")
                .hasLineCount(1);
    }

    @Test
    @Order(2)
    void noPin_isAskedForAtTheTerminal() {
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message seal --address orders --as alice")
                .bytes();
        CliRun without = new CliRun(folder).input(envelope);

        Result refused = without.run("message open --address orders --as hsm --key-store", token.uri());
        Result opened = without.terminal(
                        prompt -> prompt.equals("PIN of the token: ") ? SoftHsm.PIN.toCharArray() : null)
                .run("message open --address orders --as hsm --key-store", token.uri());

        assertThat(refused.err()).contains("PIN: none given and no terminal to ask at");
        assertThat(opened.err()).doesNotContain("error", "warning"); // a slow machine shows the progress
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(3)
    void messageSealedForTheToken_isOpenedByIt() throws Exception {
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message seal --address orders --as alice")
                .bytes();
        Path pin = Files.writeString(folder.resolve("pin"), SoftHsm.PIN + "\n");
        Files.setPosixFilePermissions(pin, PosixFilePermissions.fromString("rw-------"));

        Result opened = new CliRun(folder)
                .input(envelope)
                .run("message open --address orders --as hsm --key-store", token.uri() + "&pin-source=file:" + pin);

        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(4)
    void messageSealedByTheToken_isOpenedByOthers() {
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message seal --address orders --as hsm --key-store", token.uri())
                .bytes();

        Result opened = signet().input(envelope).run("message open --address orders --as alice");

        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(5)
    void issuerInTheToken_signsTheRequestOfAnotherKeyInIt_whichThenSeals() throws Exception {
        Path home = folder.resolve("signet-home");
        token.generate(
                "ca",
                "ca",
                List.of("-ext", "bc:critical=ca:true,pathlen:0", "-ext", "ku:critical=keyCertSign,cRLSign"),
                home.resolve("trust/ca.pem"));
        token.generate("carol");
        token.keytool(
                "-certreq",
                "-alias",
                "carol",
                "-file",
                folder.resolve("carol.csr").toString());

        signet().ok("identity sign --issuer ca --key-store", token.uri(), "--in", "carol.csr", "--out", "carol.pem");
        token.keytool(
                "-importcert",
                "-noprompt",
                "-alias",
                "carol",
                "-file",
                folder.resolve("carol.pem").toString());
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message seal --address orders --as carol --key-store", token.uri())
                .bytes();

        Result opened = signet().input(envelope).run("message open --address orders --as alice");
        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(6)
    void keyStoreThatIsNoUri_isOneLine() {

        assertThat(signet().input(PAYLOAD)
                        .fails(ExitCode.CONFIGURATION, "message seal --address orders --as hsm --key-store hsm.p12"))
                .isEqualTo("signet: error: key-store: must be a URI that begins with pkcs11: or transit:\n");
    }

    @Test
    @Order(7)
    void keyThatIsNotThere_isOneLine() {

        assertThat(signet().input(PAYLOAD)
                        .fails(
                                ExitCode.CONFIGURATION,
                                "message seal --address orders --as eve --key-store",
                                token.uri()))
                .startsWith("signet: error: token 'signet': the private key with label 'eve' is not there")
                .hasLineCount(1);
    }

    private static void enrol(String label, String... name) throws IOException {
        List<String> request = new ArrayList<>(List.of("identity", "request", "dave", "--dn", "CN=dave,O=Example"));
        request.addAll(List.of("--key-store", token.uri("object=" + label), "--out", label + ".csr"));
        signet().ok(request.toArray(String[]::new));
        List<String> sign = new ArrayList<>(List.of("identity", "sign", "--issuer", "root", "--in", label + ".csr"));
        sign.addAll(List.of(name));
        sign.addAll(List.of("--out", label + ".pem"));
        signet().ok(sign.toArray(String[]::new));
        Result imported =
                signet().ok("identity import dave --in", label + ".pem", "--key-store", token.uri("object=" + label));
        assertThat(imported.out()).startsWith("dave: CN=dave,O=Example, ec-p256, key id ");
    }

    @Test
    @Order(8)
    void requestOfTheToken_isSignedAndImported_andTheIdentityIsUsed() throws Exception {
        token.generate("dave-1");
        signet().ok("identity create root --dn CN=root --ca");

        enrol("dave-1");

        String first = keyId("dave-1");
        Result shown = signet().ok("identity show dave --key-store", token.uri());
        assertThat(shown.out())
                .contains("held", "key in a token", "current key, certificate", "CN=dave,O=Example", "ec-p256", first)
                .contains("recipients/dave.pem has it first")
                .contains("issued by", "CN=root");
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message seal --address orders --as dave --key-store", token.uri())
                .bytes();
        assertThat(signet().input(envelope)
                        .ok("message open --address orders --as alice")
                        .bytes())
                .isEqualTo(PAYLOAD);
    }

    @Tag(Tier.LONG)
    @Test
    @Order(9)
    void secondKeyOfTheToken_signs_andBothOpen_alsoInARunningProgram() throws Exception {
        signet().ok("policy set dave.in --quality privacy --recipient dave");
        Home home = new Home(folder.resolve("signet-home"));
        byte[] old = sealedForDave();
        TokenKeyStore keys = new TokenKeyStore(
                TokenUri.parse(token.uri()), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()));
        try (KeyWatch watch = keys.watch("dave", home);
                CertificateTrust trust = home.certificateTrust();
                Opener consumer =
                        Opener.create(new Opener.Keys(watch, home.recipientDirectory(), trust), () -> policies(home))) {
            assertThat(consumer.open(old, "dave.in").payload()).isEqualTo(PAYLOAD);
            String first = keyId("dave-1");
            token.generate("dave-2");

            enrol("dave-2", "--dn", "CN=dave,O=Example");

            byte[] next = sealedForDave();
            String second = keyId("dave-2");
            assertThat(second).isNotEqualTo(first);
            await().until(() -> watch.current().size() == 2
                    && KeyIdentifier.ofKey(watch.current().get(0).certificate())
                            .toString()
                            .equals(second));
            assertThat(consumer.open(next, "dave.in").payload()).isEqualTo(PAYLOAD);
            assertThat(consumer.open(old, "dave.in").payload()).isEqualTo(PAYLOAD);
            for (byte[] envelope : List.of(old, next)) {
                assertThat(signet().input(envelope)
                                .ok("message open --address dave.in --as dave --key-store", token.uri())
                                .bytes())
                        .isEqualTo(PAYLOAD);
            }
        }
        Result shown = signet().ok("identity show dave --key-store", token.uri(), "--json");
        assertThat(shown.out().replaceAll("\\s", ""))
                .containsPattern("\"state\":\"current\".*" + keyId("dave-2") + ".*\"recipients\":\"first\"")
                .containsPattern("\"state\":\"former\".*" + keyId("dave-1") + ".*\"recipients\":\"behind\"");
    }

    private static byte[] sealedForDave() {
        return signet().input(PAYLOAD)
                .ok("message seal --address dave.in --as alice")
                .bytes();
    }

    private static PolicySet policies(Home home) {
        try {
            return new PolicyStore(home).read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String keyId(String label) {
        X509Certificate issued =
                Pem.readCertificates(folder.resolve(label + ".pem")).get(0);
        return KeyIdentifier.ofKey(issued).toString();
    }

    @Tag(Tier.LONG)
    @Test
    @Order(10)
    void factoryWithAToken_endsItsThreadsWhenItIsClosed_orCannotOpen() throws IOException {
        TokenKeyStore keys = new TokenKeyStore(
                TokenUri.parse(token.uri("object=hsm")), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()));
        Path home = folder.resolve("signet-home");
        Path settings = Files.writeString(
                home.resolve("trust.json"),
                "{\"schema\": 1, \"revocation\": {\"crl\": \"fetch\", \"without-source\": \"accept\"}}");
        Path broken = Files.createDirectory(folder.resolve("broken-home"));
        Files.writeString(broken.resolve("policies.json"), "{");
        try (ActiveMQConnectionFactory provider = new ActiveMQConnectionFactory("vm://0")) {
            try (SignetConnectionFactory factory = SignetConnectionFactory.open(provider, home, "hsm", keys)) {
                assertThat(factory).isNotNull();
                await().untilAsserted(() -> assertThat(threads()).contains("signet-key-watch", "signet-revocation"));
            }
            assertThatThrownBy(() -> SignetConnectionFactory.open(provider, broken, "hsm", keys))
                    .isInstanceOf(InvalidPolicyException.class);
        } finally {
            Files.delete(settings);
        }
        await().untilAsserted(() ->
                assertThat(threads()).doesNotContain("signet-key-watch", "signet-token", "signet-revocation"));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    @Test
    @Order(11)
    void identityWithAnIssuerInTheToken_isCreatedAndRenewed() {
        signet().ok("identity create frank --dn CN=frank --issuer ca --key-store", token.uri());
        String before = signet().out("identity show frank");
        signet().ok("identity renew frank --issuer ca --key-store", token.uri());

        assertThat(before).contains("issued by").contains("CN=ca");
        assertThat(signet().out("identity show frank")).contains("CN=ca").isNotEqualTo(before);
    }

    @Test
    @Order(12)
    void certificateOfAnotherKey_isNotImportedForTheToken() throws IOException {
        Path before = folder.resolve("signet-home/recipients/hsm.pem");
        String there = Files.readString(before);

        Result result = signet().run("identity import hsm --in dave-1.pem --key-store", token.uri("object=hsm"));

        assertThat(result.exitCode()).isNotEqualTo(ExitCode.OK);
        assertThat(result.err())
                .startsWith("signet: error: identity 'hsm': the first certificate of ")
                .contains("dave-1.pem is for none of its keys")
                .hasLineCount(1);
        assertThat(before).hasContent(there);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create x --dn CN=x | it is the token of the issuer here; add --issuer NAME",
                "renew alice | it is the token of the issuer here; add --issuer NAME",
                "request hsm --same-key | the request is for the key that the token has",
                "import hsm --in hsm.pem --former | takes the certificate of a party; leave out --former",
                "export alice --private-key | a token does not give its keys away",
                "password alice | change the PIN of a token by its own program",
                "retire alice --key 0123456789abcdef --force | delete a key in a token by its own program",
            })
    @Order(13)
    void commandForKeysOfTheHome_refusesATokenWithTheWayToGo(String command, String reason) throws IOException {
        Files.copy(
                folder.resolve("signet-home/recipients/hsm.pem"),
                folder.resolve("hsm.pem"),
                StandardCopyOption.REPLACE_EXISTING);
        List<String> arguments = new ArrayList<>(List.of("identity"));
        arguments.addAll(List.of(command.split(" ")));
        arguments.addAll(List.of("--key-store", token.uri()));

        assertThat(signet().fails(ExitCode.USAGE, arguments.toArray(String[]::new)))
                .startsWith("signet: error: --key-store: ")
                .contains(reason);
    }
}
