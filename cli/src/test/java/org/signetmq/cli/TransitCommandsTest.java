/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.OpenBao;
import org.signetmq.testkit.Tier;

/** Commands whose keys are in the real OpenBao. */
@Tag(Tier.LONG)
final class TransitCommandsTest {
    private static final byte[] PAYLOAD = "4711\n".getBytes(UTF_8);

    @TempDir
    private static Path serverFolder;

    private static OpenBao server;

    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeAll
    static void start() throws IOException {
        server = OpenBao.start(serverFolder);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void setUp() throws IOException {
        signet = new CliRun(folder);
        signet.ok("identity create root --dn CN=root,O=Example --ca");
        Path token = Files.createFile(
                folder.resolve("token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                token, server.token("transit/keys/* read", "transit/sign/* update", "transit/decrypt/* update") + "\n");
    }

    private String uri(String key) {
        return "transit:" + server.tlsAddress() + "/transit/" + key + "?token-file=" + folder.resolve("token")
                + "&ca-file=" + server.caFile();
    }

    /** Makes a key, and takes the certificate that the issuer of the home gives it. */
    private void enrol(String name, String type) throws IOException {
        server.makeKey(name, type);
        certify(name, "--dn", "CN=" + name + ",O=Example");
    }

    private void certify(String name, String... dn) {
        List<String> request =
                new ArrayList<>(List.of("identity request --force --out", name + ".csr", "--key-store", uri(name)));
        request.addAll(List.of(dn));
        request.add(name);
        signet.ok(request.toArray(String[]::new));
        signet.ok(
                "identity sign --force --issuer root --dn",
                "CN=" + name + ",O=Example",
                "--in",
                name + ".csr",
                "--out",
                name + ".pem");
        signet.ok("identity import", name, "--in", name + ".pem", "--key-store", uri(name));
    }

    private byte[] sealed(String address, String name) {
        return signet.input(PAYLOAD)
                .ok("message seal --address", address, "--as", name, "--key-store", uri(name))
                .bytes();
    }

    private byte[] opened(String address, String name, byte[] message) {
        return signet.input(message)
                .ok("message open --address", address, "--as", name, "--key-store", uri(name))
                .bytes();
    }

    @Test
    void keys_signAndOpen_withEachQuality_andAfterARotation() throws Exception {
        enrol("rsa", "rsa-2048");
        enrol("ec", "ecdsa-p384");
        enrol("ed", "ed25519");
        signet.ok("policy set integrity --quality integrity");
        signet.ok("policy set privacy --quality privacy --recipient rsa");
        signet.ok("policy set confidentiality --quality confidentiality --recipient rsa");

        for (String signer : List.of("rsa", "ec", "ed")) {
            for (String quality : List.of("integrity", "privacy", "confidentiality")) {
                assertThat(opened(quality, "rsa", sealed(quality, signer)))
                        .as(signer + " " + quality)
                        .isEqualTo(PAYLOAD);
            }
        }
        assertThat(signet.ok("identity show rsa --key-store", uri("rsa")).out())
                .contains("held             key in a key service", "CN=rsa,O=Example", "rsa-2048");

        byte[] before = sealed("privacy", "rsa");
        server.call("POST", "transit/keys/rsa/rotate", Map.of());
        certify("rsa");
        byte[] after = sealed("privacy", "rsa");
        assertThat(opened("privacy", "rsa", before)).isEqualTo(PAYLOAD);
        assertThat(opened("privacy", "rsa", after)).isEqualTo(PAYLOAD);
        assertThat(signet.ok("identity show rsa --key-store", uri("rsa")).out())
                .contains("current key, certificate", "former key, certificate");
    }

    @Test
    void ellipticKey_opensNothing_andWarns() throws Exception {
        enrol("signer", "ecdsa-p256");
        signet.ok("policy set wrong --quality privacy --recipient signer");
        byte[] message = sealed("wrong", "signer");

        assertThat(signet.input(message)
                        .fails(ExitCode.FAILURE, "message open --address wrong --as signer --key-store", uri("signer")))
                .contains("warning: ", "Name 'signer' as a signer, not as a recipient", "Transit has no ECDH");
    }

    @Test
    void newName_needsItsDistinguishedName_andAMissingKeyIsNamed() throws Exception {
        server.makeKey("bare", "rsa-2048");

        assertThat(signet.fails(ExitCode.USAGE, "identity request bare --key-store", uri("bare")))
                .contains("--dn: a new name needs its distinguished name");
        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity show bare --key-store", uri("bare")))
                .contains("the home has no certificate of it in recipients/bare.pem");
        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity request gone --dn CN=gone --key-store", uri("gone")))
                .contains("there is no such key in the engine at transit: it answers 404");
        assertThat(signet.fails(ExitCode.USAGE, "identity request bare --same-key --key-store", uri("bare")))
                .contains("--key-store: the request is for the key");
    }
}
