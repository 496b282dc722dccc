/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.KeyStoreFile;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;

/** Reads hostile files. Each ends in a refusal, or in what the file says. */
final class ImportFileTest {
    private static final String PKCS8 = "PRIVATE KEY";

    static Stream<byte[]> whole() throws Exception {
        Path place = Files.createTempDirectory("signet-import");
        try (Password password = password()) {
            Home home = new Home(place);
            Identity identity = home.identityStore()
                    .create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password);
            return Stream.of(
                    KeyStoreFile.bytes(identity, password),
                    (Pem.privateKeyPem(identity) + Pem.certificatePem(identity)).getBytes(US_ASCII),
                    identity.certificate().getEncoded(),
                    SigningRequest.of(
                                    identity,
                                    X500Name.getInstance(identity.certificate()
                                            .getSubjectX500Principal()
                                            .getEncoded()))
                            .file());
        } finally {
            try (Stream<Path> files = Files.walk(place)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> {
                    assertThat(file.toFile().delete()).isTrue();
                });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("whole")
    void truncatedFile_isRefused(byte[] whole) {
        for (int length = 0; length < whole.length - 1; length += Math.max(1, whole.length / 60)) {
            byte[] part = Arrays.copyOf(whole, length);

            assertRefusedOrRead(part);
        }
    }

    @ParameterizedTest
    @MethodSource("whole")
    void changedFile_neverFailsInAnotherWay(byte[] whole) {
        for (int i = 0; i < whole.length; i += Math.max(1, whole.length / 12)) { // each may hash the password
            byte[] changed = whole.clone();
            changed[i] ^= (byte) (1 << (i % 8));

            assertRefusedOrRead(changed);
        }
    }

    private static void assertRefusedOrRead(byte[] bytes) {
        try (Password password = password()) {
            var unused = KeyMaterial.read(List.of(ImportFile.of("file", bytes)), password)
                    .identity("alice", null);
        } catch (KeystoreUnusableException refused) {
            assertThat(refused).hasMessageContaining("file");
        }
        try {
            var unused = SigningRequest.parse(bytes, "file");
        } catch (KeystoreUnusableException refused) {
            assertThat(refused).hasMessageContaining("file");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN",
                "-----BEGIN CERTIFICATE-----",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
                "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----",
                "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC\n\nMAA=\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: X,00\n\nMAA=\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----",
                "-----BEGIN DSA PRIVATE KEY-----\nMAA=\n-----END DSA PRIVATE KEY-----",
                "-----BEGIN PKCS7-----\nMAA=\n-----END PKCS7-----",
                "0",
                "\u00ff\u00ff\u00ff",
            })
    void malformedText_isRefused(String text) {
        assertThatThrownBy(() -> KeyMaterial.read(List.of(ImportFile.of("file", text.getBytes(US_ASCII))), password())
                        .identity("alice", null))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("file");
    }

    /** PBES2 with PBKDF2 of 2^31 - 1 rounds would keep the process busy for hours. */
    @Test
    void manyRounds_areRefusedBeforeTheyAreRun() {
        String pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + Rounds.pkcs8(Integer.MAX_VALUE)
                + "\n-----END ENCRYPTED PRIVATE KEY-----\n";

        assertThatThrownBy(() -> KeyMaterial.read(List.of(ImportFile.of("file", pem.getBytes(US_ASCII))), password()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("more than 5000000 rounds");
    }

    /** A key store may have any number of parts, and its reader needs no right password for the first one. */
    @Test
    void manyRoundsOfAKeyStoreTogether_areRefusedBeforeTheyAreRun() throws IOException {
        ImportFile file = ImportFile.of("file", Rounds.pkcs12(2_000_000));

        assertThatThrownBy(() -> KeyMaterial.read(List.of(file), password()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("more than 5000000 rounds");
        assertThat(file.needsPassword()).isTrue();
    }

    @Test
    void manyRoundsOfKeysInsideOfAnEncryptedPart_areRefusedBeforeTheyAreRun() throws Exception {
        ImportFile file = ImportFile.of("file", Rounds.hiddenIn("secret".toCharArray(), 3_000_000));

        assertThatThrownBy(() -> KeyMaterial.read(List.of(file), password()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("more than 5000000 rounds");
    }

    @Test
    void manyBlocks_areRefused() {
        String pem = ("-----BEGIN " + PKCS8 + "-----\n-----END " + PKCS8 + "-----\n").repeat(1001);

        assertThatThrownBy(() -> ImportFile.of("file", pem.getBytes(US_ASCII)).hasPrivateKey())
                .hasMessageContaining("more than 1000 PEM blocks");
    }

    @Test
    void keyFileThatOthersMayRead_isRefused_andACertificateIsNot(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("key.pem");
        Files.writeString(file, "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> ImportFile.readSecret(file)).hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThatCode(() -> ImportFile.readSecret(file)).doesNotThrowAnyException();
    }

    private static Password password() {
        return Password.takeOwnershipOf("secret".toCharArray());
    }
}
