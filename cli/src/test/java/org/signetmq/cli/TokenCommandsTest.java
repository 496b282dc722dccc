/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

/** Commands with a key in the real SoftHSM 2. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TokenCommandsTest {
    private static final byte[] PAYLOAD = "hello".getBytes(UTF_8);

    @TempDir
    private static Path folder;

    private static SoftHsmToken token;

    @BeforeAll
    static void make() throws IOException {
        token = SoftHsmToken.make(folder);
        CliRun signet = new CliRun(folder);
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");
        Path home = folder.resolve("signet-home");
        token.generate("hsm", home.resolve("recipients/hsm.pem"), home.resolve("trust/hsm.pem"));
        signet.ok("policy", "set", "orders", "--quality", "privacy", "--recipient", "hsm", "--recipient", "alice");
    }

    private static CliRun signet() {
        return new CliRun(folder).environment("SIGNET_PIN", SoftHsmToken.PIN);
    }

    /** Before the others, because a process that has logged in needs no PIN any more. */
    @Test
    @Order(1)
    void wrongPin_isOneLineWithoutThePin() {
        Result result = signet().environment("SIGNET_PIN", "8765-wrong")
                .input(PAYLOAD)
                .run("message", "seal", "--address", "orders", "--as", "hsm", "--key-store", token.uri());

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err())
                .startsWith("signet: error: token 'signet': it does not accept the PIN (CKR_PIN_INCORRECT)")
                .doesNotContain("8765")
                .hasLineCount(1);
    }

    @Test
    @Order(2)
    void noPin_isAskedForAtTheTerminal() {
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message", "seal", "--address", "orders", "--as", "alice")
                .bytes();
        CliRun without = new CliRun(folder).input(envelope);

        Result refused =
                without.run("message", "open", "--address", "orders", "--as", "hsm", "--key-store", token.uri());
        Result opened = without.terminal(
                        prompt -> prompt.equals("PIN of the token: ") ? SoftHsmToken.PIN.toCharArray() : null)
                .run("message", "open", "--address", "orders", "--as", "hsm", "--key-store", token.uri());

        assertThat(refused.err()).contains("PIN: none given and no terminal to ask at");
        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(3)
    void messageSealedForTheToken_isOpenedByIt() throws Exception {
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message", "seal", "--address", "orders", "--as", "alice")
                .bytes();
        Path pin = Files.writeString(folder.resolve("pin"), SoftHsmToken.PIN + "\n");
        Files.setPosixFilePermissions(pin, PosixFilePermissions.fromString("rw-------"));

        Result opened = new CliRun(folder)
                .input(envelope)
                .run(
                        "message",
                        "open",
                        "--address",
                        "orders",
                        "--as",
                        "hsm",
                        "--key-store",
                        token.uri() + "&pin-source=file:" + pin);

        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(4)
    void messageSealedByTheToken_isOpenedByOthers() {
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message", "seal", "--address", "orders", "--as", "hsm", "--key-store", token.uri())
                .bytes();

        Result opened = signet().input(envelope).run("message", "open", "--address", "orders", "--as", "alice");

        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(5)
    void issuerInTheToken_signsTheRequestOfAnotherKeyInIt_whichThenSeals() throws Exception {
        Path home = folder.resolve("signet-home");
        token.generateIssuer("ca", home.resolve("trust/ca.pem"));
        token.generate("carol");
        token.request("carol", folder.resolve("carol.csr"));

        signet().ok(
                        "identity",
                        "sign",
                        "--issuer",
                        "ca",
                        "--key-store",
                        token.uri(),
                        "--in",
                        "carol.csr",
                        "--out",
                        "carol.pem");
        token.replaceCertificate("carol", folder.resolve("carol.pem"));
        byte[] envelope = signet().input(PAYLOAD)
                .ok("message", "seal", "--address", "orders", "--as", "carol", "--key-store", token.uri())
                .bytes();

        Result opened = signet().input(envelope).run("message", "open", "--address", "orders", "--as", "alice");
        assertThat(opened.err()).isEmpty();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
    }

    @Test
    @Order(6)
    void keyStoreThatIsNoUri_isOneLine() {
        Result result = signet().input(PAYLOAD)
                .run("message", "seal", "--address", "orders", "--as", "hsm", "--key-store", "hsm.p12");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).isEqualTo("signet: error: key-store: must be a URI that begins with pkcs11:\n");
    }

    @Test
    @Order(7)
    void keyThatIsNotThere_isOneLine() {
        Result result = signet().input(PAYLOAD)
                .run("message", "seal", "--address", "orders", "--as", "eve", "--key-store", token.uri());

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err())
                .startsWith("signet: error: token 'signet': the private key with label 'eve' is not there")
                .hasLineCount(1);
    }
}
