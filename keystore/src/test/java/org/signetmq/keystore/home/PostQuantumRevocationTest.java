/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.trust.OcspForge;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.keys.CryptoProviders;

/** Revocation lists and OCSP answers of an authority that signs by ML-DSA. */
final class PostQuantumRevocationTest {
    private static final Party ROOT = authority();

    /** Another authority of the same name. */
    private static final Party STRANGER = authority();

    private final Party alice =
            CertificateForge.of("CN=alice").by(ROOT).usage(LEAF).make();
    private final Party bob = CertificateForge.of("CN=bob").by(ROOT).usage(LEAF).make();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FetchedTrust trust;

    private static Party authority() {
        try {
            return CertificateForge.of("CN=Root", CryptoProviders.generate(KeyAlgorithm.ML_DSA_65, new SecureRandom()))
                    .authority()
                    .usage(TestCertificates.CA)
                    .make();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each certificate needs a proof that it is not revoked. */
    @BeforeEach
    void requireProof() {
        trust = new FetchedTrust(folder, ROOT, "\"without-source\": \"refuse\", \"ocsp\": \"files\"");
    }

    @AfterEach
    void close() {
        trust.close();
    }

    /** Changes a byte of the signature, which has 3,309 bytes and ends this number of bytes before the end. */
    private static byte[] changed(byte[] der, int behind) {
        byte[] changed = der.clone();
        changed[changed.length - behind - 1000] ^= 1;
        return changed;
    }

    private String rejectionWithList(byte[] list) throws IOException {
        return rejection(trust.home.crl(), "list.crl", list);
    }

    private String rejectionWithAnswer(byte[] answer) throws IOException {
        return rejection(trust.home.ocsp(), "alice.der", answer);
    }

    private String rejection(Path files, String name, byte[] der) throws IOException {
        Files.createDirectories(files);
        Files.write(files.resolve(name), der);
        trust.looksAgain();
        return trust.rejection(alice);
    }

    @Test
    void list_provesTheStateOfItsCertificates() throws IOException {
        assertThat(trust.rejection(alice)).isNotEmpty();

        assertThat(rejectionWithList(ListForge.of(ROOT, END)
                        .revoking(bob.certificate().getSerialNumber())
                        .der()))
                .isEmpty();

        assertThat(trust.rejection(bob)).contains("revoked on");
    }

    @Test
    void listWithAChangedByte_orOfAnotherAuthority_provesNothing() throws IOException {
        ListForge list = ListForge.of(ROOT, END);

        assertThat(rejectionWithList(changed(list.der(), 0))).isNotEmpty();
        assertThat(rejectionWithList(list.signedBy(STRANGER).der())).isNotEmpty();
        assertThat(rejectionWithList(list.signedBy(ROOT).der())).isEmpty();
    }

    @Test
    void answer_provesTheStateOfItsCertificate() throws IOException {
        assertThat(rejectionWithAnswer(OcspForge.of(ROOT, alice).der())).isEmpty();

        assertThat(rejectionWithAnswer(OcspForge.of(ROOT, alice).revoked().der()))
                .contains("revoked on", "OCSP");
    }

    @Test
    void answerWithAChangedByte_orOfAnotherAuthority_provesNothing() throws Exception {
        OcspForge answer = OcspForge.of(ROOT, alice);
        int carried = ROOT.certificate().getEncoded().length; // behind the signature

        assertThat(rejectionWithAnswer(changed(answer.der(), carried))).isNotEmpty();
        assertThat(rejectionWithAnswer(answer.signedBy(STRANGER).der())).isNotEmpty();
        assertThat(rejectionWithAnswer(answer.signedBy(ROOT).der())).isEmpty();
    }

    @Test
    void answerOfADelegatedResponder_counts() throws Exception {
        Party responder = CertificateForge.of(
                        "CN=responder", CryptoProviders.generate(KeyAlgorithm.ML_DSA_65, new SecureRandom()))
                .by(ROOT)
                .usage(KeyUsage.digitalSignature)
                .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_OCSPSigning))
                .make();

        assertThat(rejectionWithAnswer(
                        OcspForge.of(ROOT, alice).signedBy(responder).der()))
                .isEmpty();
    }
}
