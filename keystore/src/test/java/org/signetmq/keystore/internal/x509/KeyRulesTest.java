/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;

final class KeyRulesTest {
    private static final Party CA = TestCertificates.root("CN=ca");

    private static X509Certificate issuedTo(KeyPair pair) {
        return CertificateForge.of("CN=leaf", pair).by(CA).make().certificate();
    }

    /** A certificate for an RSA key with this modulus. No private key fits it. */
    private static X509Certificate rsa(int bits, BigInteger exponent) throws Exception {
        BigInteger modulus = BigInteger.ONE.shiftLeft(bits - 1).add(BigInteger.ONE);
        var key = KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
        return issuedTo(new KeyPair(key, CA.pair().getPrivate()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
    void nistCurve_servesEachUse(String curve) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        X509Certificate certificate = issuedTo(generator.generateKeyPair());

        assertThat(KeyRules.problem(certificate, CertificateUse.SIGNING)).isEmpty();
        assertThat(KeyRules.problem(certificate, CertificateUse.RECEIVING)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 3072, 4096, 8192})
    void rsaOfUsualSize_servesEachUse(int bits) throws Exception {
        X509Certificate certificate = rsa(bits, RSAKeyGenParameterSpec.F4);

        assertThat(KeyRules.problem(certificate, CertificateUse.SIGNING)).isEmpty();
        assertThat(KeyRules.problem(certificate, CertificateUse.RECEIVING)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1024, 2047, 8193, 16384})
    void rsaOfOtherSize_isRejected(int bits) throws Exception {
        assertThat(KeyRules.problem(rsa(bits, RSAKeyGenParameterSpec.F4), CertificateUse.SIGNING))
                .contains("its RSA key has " + bits + " bits, not 2048 to 8192");
    }

    @Test
    void rsaExponent_isLimited_sinceItDecidesTheTime() throws Exception {
        BigInteger largest = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

        assertThat(KeyRules.problem(rsa(2048, largest), CertificateUse.SIGNING)).isEmpty();
        assertThat(KeyRules.problem(rsa(2048, largest.add(BigInteger.TWO)), CertificateUse.SIGNING))
                .contains("its RSA key has a public exponent of more than 64 bits");
    }

    @Test
    void ed25519_signsAndDoesNotReceive() throws Exception {
        X509Certificate certificate =
                issuedTo(KeyPairGenerator.getInstance("Ed25519").generateKeyPair());

        assertThat(KeyRules.problem(certificate, CertificateUse.SIGNING)).isEmpty();
        assertThat(KeyRules.problem(certificate, CertificateUse.RECEIVING))
                .contains("its key is Ed25519, which can sign but not receive");
    }

    @ParameterizedTest
    @CsvSource({"Ed448,1.3.101.113", "X25519,1.3.101.110", "DSA,1.2.840.10040.4.1"})
    void otherKinds_areNamedByTheirIdentifier(String algorithm, String identifier) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("DSA")) {
            generator.initialize(2048);
        }
        X509Certificate certificate = issuedTo(generator.generateKeyPair());

        for (CertificateUse use : CertificateUse.values()) {
            assertThat(KeyRules.problem(certificate, use)).contains("its key is of the unsupported kind " + identifier);
        }
    }

    @Test
    void otherCurve_isRejected() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", new BouncyCastleProvider());
        generator.initialize(new ECGenParameterSpec("secp256k1"));
        X509Certificate certificate = issuedTo(generator.generateKeyPair());

        assertThat(KeyRules.problem(certificate, CertificateUse.SIGNING))
                .contains("its key is on an elliptic curve other than P-256, P-384 and P-521");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHA256withECDSA", "SHA384withECDSA", "SHA512withECDSA"})
    void strongSignature_proves(String algorithm) {
        assertThat(KeyRules.signatureProblem(signed(CA.pair(), algorithm))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHA256withRSA",
                "SHA384withRSA",
                "SHA512withRSA",
                "SHA256withRSAandMGF1",
                "SHA384withRSAandMGF1",
                "SHA512withRSAandMGF1"
            })
    void strongRsaSignature_proves(String algorithm) throws Exception {
        assertThat(KeyRules.signatureProblem(signed(TestCertificates.rsa(2048), algorithm)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MD5withRSA", "SHA1withRSA", "SHA224withRSA", "SHA1withRSAandMGF1", "SHA224withRSAandMGF1"})
    void weakRsaSignature_provesNothing(String algorithm) throws Exception {
        assertThat(KeyRules.signatureProblem(signed(TestCertificates.rsa(2048), algorithm)))
                .hasValueSatisfying(text -> assertThat(text).startsWith("it is signed with "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHA1withECDSA", "SHA224withECDSA"})
    void weakEcdsaSignature_provesNothing(String algorithm) {
        assertThat(KeyRules.signatureProblem(signed(CA.pair(), algorithm)))
                .hasValueSatisfying(text -> assertThat(text).startsWith("it is signed with "));
    }

    private static X509Certificate signed(KeyPair pair, String algorithm) {
        return TestCertificates.self("CN=self", pair, Shape.USUAL.signature(algorithm))
                .certificate();
    }

    @ParameterizedTest
    @EnumSource
    void problem_isFoundForTheSubjectsKey_notTheIssuers(CertificateUse use) throws Exception {
        Party weak = TestCertificates.self(
                "CN=weak", TestCertificates.rsa(1024), Shape.AUTHORITY.signature("SHA256withRSA"));
        X509Certificate leaf = CertificateForge.of("CN=leaf").by(weak).make().certificate();

        assertThat(KeyRules.problem(leaf, use)).isEmpty();
        assertThat(KeyRules.problem(weak.certificate(), use)).isPresent();
    }
}
