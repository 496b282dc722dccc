/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.rsa;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.testkit.Certificates;

/** Rejects signatures with MD5 or SHA-1 on each certificate of a path, the signer's own included. */
final class WeakSignaturesTest {
    private static final String ROOT_DN = "CN=Root,O=Example";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"MD5withRSA", "SHA1withRSA", "SHA224withRSA"})
    void leafSignedByRsaWithAWeakDigest_isUntrusted(String algorithm) throws Exception {
        KeyPair root = rsa(2048);
        assertRejected(root, new JcaContentSignerBuilder(algorithm).build(root.getPrivate()));
    }

    @Test
    void leafSignedByEcdsaWithSha1_isUntrusted() throws Exception {
        KeyPair root = ec();
        assertRejected(root, new JcaContentSignerBuilder("SHA1withECDSA").build(root.getPrivate()));
    }

    @ParameterizedTest
    @CsvSource({"SHA-1, SHA-1, 20, false", "SHA-256, SHA-1, 32, false", "SHA-256, SHA-256, 32, true"})
    void leafSignedByPss_needsStrongDigestsThroughout(String digest, String mask, int salt, boolean trusted)
            throws Exception {
        KeyPair root = rsa(2048);
        PSSParameterSpec parameters = new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mask), salt, 1);
        ContentSigner signer = new PssSigner(root.getPrivate(), parameters);
        if (trusted) {
            X509Certificate leaf = leaf(signer);
            CertificateTrust trust = trusting(root);
            assertThatCode(() -> trust.check(leaf, List.of(), CertificateUse.SIGNING, NOW))
                    .doesNotThrowAnyException();
        } else {
            assertRejected(root, signer);
        }
    }

    private void assertRejected(KeyPair root, ContentSigner signer) throws Exception {
        X509Certificate leaf = leaf(signer);
        CertificateTrust trust = trusting(root);
        var rejected = catchThrowableOfType(
                CertificateRejectedException.class, () -> trust.check(leaf, List.of(), CertificateUse.SIGNING, NOW));
        assertThat(rejected).isNotNull();
        assertThat(rejected.reason()).isEqualTo(Reason.UNTRUSTED);
    }

    private CertificateTrust trusting(KeyPair root) throws Exception {
        Home home = new Home(folder);
        String algorithm = root.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        X509Certificate certificate =
                certificate(ROOT_DN, root, true, new JcaContentSignerBuilder(algorithm).build(root.getPrivate()));
        write(home.trust(), "root.pem", certificate);
        return home.certificateTrust();
    }

    private static X509Certificate leaf(ContentSigner signer) throws Exception {
        return certificate("CN=mallory,O=Example", ec(), false, signer);
    }

    private static X509Certificate certificate(String dn, KeyPair pair, boolean authority, ContentSigner signer) {
        return Certificates.of(DistinguishedName.encode(dn), pair.getPublic())
                .by(DistinguishedName.encode(ROOT_DN))
                .during(START, END)
                .authority(authority)
                .usage(authority ? KeyUsage.keyCertSign : KeyUsage.digitalSignature)
                .signed(signer);
    }

    /** Signs by the JDK, which takes every pair of digests. */
    private static final class PssSigner implements ContentSigner {
        private final Signature signature;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        PssSigner(PrivateKey key, PSSParameterSpec parameters) throws GeneralSecurityException {
            signature = Signature.getInstance("RSASSA-PSS");
            signature.setParameter(parameters);
            signature.initSign(key);
        }

        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            try {
                return new AlgorithmIdentifier(
                        PKCSObjectIdentifiers.id_RSASSA_PSS,
                        ASN1Primitive.fromByteArray(signature.getParameters().getEncoded()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public OutputStream getOutputStream() {
            return content;
        }

        @Override
        public byte[] getSignature() {
            try {
                signature.update(content.toByteArray());
                return signature.sign();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
