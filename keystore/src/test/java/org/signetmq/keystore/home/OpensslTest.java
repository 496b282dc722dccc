/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.TestedAlgorithms;
import org.signetmq.testkit.Openssl;

/** Reads files of Signet with openssl, and files of openssl with Signet. */
final class OpensslTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Home home = new Home(Path.of("unset"));

    @BeforeEach
    void writePassword() throws IOException {
        home = new Home(folder);
        Path file = Files.writeString(folder.resolve("password"), "s3cret !~\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @ParameterizedTest
    @MethodSource("classical") // openssl knows ML-DSA from 3.5
    void identities_areReadByOpenssl_andAcceptedToSignMail(KeyAlgorithm algorithm) throws Exception {
        createAuthority("ca", algorithm);
        Identity bob = create("bob", algorithm, "ca");
        Identity alice = create("alice", algorithm, null);

        assertThat(openssl("pkcs12 -in identities/bob.p12 -passin file:password -nodes"))
                .contains(body(Pem.privateKeyPem(bob)))
                .contains(body(Pem.certificatePem(bob.chain().get(0))))
                .contains(body(Pem.certificatePem(bob.chain().get(1))));
        assertThat(verify("trust/ca.pem", "recipients/bob.pem")).endsWith("OK\n");
        assertThat(verify("trust/alice.pem", "recipients/alice.pem")).endsWith("OK\n");
        Files.writeString(folder.resolve("key.pem"), Pem.privateKeyPem(alice));
        Files.writeString(folder.resolve("certificate.pem"), Pem.certificatePem(alice));
        assertThat(openssl("pkey -in key.pem -pubout")).isEqualTo(openssl("x509 -in certificate.pem -noout -pubkey"));
    }

    static Stream<KeyAlgorithm> classical() {
        return TestedAlgorithms.all().filter(algorithm -> !algorithm.isMlDsa());
    }

    @Test
    void keyStoreOfOpenssl_isRead() throws Exception {
        openssl("req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -subj /CN=x");
        Files.createDirectories(home.identities());
        openssl("pkcs12 -export -inkey k.pem -in c.pem -out identities/x.p12 -passout file:password");

        Identity loaded = home.identityStore().load("x", password());

        assertThat(Pem.readCertificates(folder.resolve("c.pem"))).containsExactly(loaded.certificate());
    }

    private String verify(String trusted, String certificate) throws Exception {
        return openssl("verify -x509_strict -purpose smimesign -CAfile " + trusted + " " + certificate);
    }

    private void createAuthority(String name, KeyAlgorithm algorithm) {
        var unused = home.identityStore()
                .createAuthority(new IdentityRequest(name, "CN=" + name + ",O=Example", algorithm, null), password());
    }

    private Identity create(String name, KeyAlgorithm algorithm, @Nullable String issuer) {
        return home.identityStore()
                .create(new IdentityRequest(name, "CN=" + name + ",O=Example", algorithm, issuer), password());
    }

    private Password password() {
        return Password.fromFile(folder.resolve("password"));
    }

    private static String body(String pem) {
        return pem.lines().skip(1).findFirst().orElseThrow();
    }

    private String openssl(String words) throws Exception {
        return new Openssl(folder).line(words);
    }
}
