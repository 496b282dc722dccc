/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import org.signetmq.keystore.KeyAlgorithm;

/**
 * The providers for key stores and certificates. They are the JDK's own, requested by name, so that a provider of the
 * application cannot change the rules.
 */
public final class CertificateProviders {
    private static final String CERTIFICATES = "SUN";
    private static final String ELLIPTIC = "SunEC";
    private static final String RSA = "SunRsaSign";

    private CertificateProviders() {}

    public static KeyStore pkcs12() throws GeneralSecurityException {
        return KeyStore.getInstance("PKCS12", CERTIFICATES);
    }

    public static KeyPair generate(KeyAlgorithm algorithm, SecureRandom random) throws GeneralSecurityException {
        return switch (algorithm) {
            case EC_P256 -> generateEc("secp256r1", random);
            case EC_P384 -> generateEc("secp384r1", random);
            case EC_P521 -> generateEc("secp521r1", random);
            case RSA_2048 -> generateRsa(2048, random);
            case RSA_3072 -> generateRsa(3072, random);
            case RSA_4096 -> generateRsa(4096, random);
            case ED25519 -> KeyPairGenerator.getInstance("Ed25519", ELLIPTIC).generateKeyPair();
        };
    }

    private static KeyPair generateEc(String curve, SecureRandom random) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", ELLIPTIC);
        generator.initialize(new ECGenParameterSpec(curve), random);
        return generator.generateKeyPair();
    }

    private static KeyPair generateRsa(int bits, SecureRandom random) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", RSA);
        generator.initialize(bits, random);
        return generator.generateKeyPair();
    }

    /** Whether the two are halves of one pair, found out by signing and verifying a few bytes. */
    public static boolean isPair(PrivateKey privateKey, PublicKey publicKey) {
        String algorithm = privateKey.getAlgorithm();
        byte[] probe = "signet: do these keys belong together".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signature = Signature.getInstance(signatureName(algorithm), signatureProvider(algorithm));
            signature.initSign(privateKey);
            signature.update(probe);
            byte[] value = signature.sign();
            signature.initVerify(publicKey);
            signature.update(probe);
            return signature.verify(value);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Whether the key made the certificate's signature. */
    public static boolean isSignedBy(X509Certificate certificate, PublicKey key) {
        try {
            certificate.verify(key, signatureProvider(key.getAlgorithm()));
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Whether the key made the revocation list's signature. */
    static boolean isSignedBy(X509CRL crl, PublicKey key) {
        try {
            crl.verify(key, signatureProvider(key.getAlgorithm()));
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    public static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
        return (X509Certificate) certificateFactory().generateCertificate(new ByteArrayInputStream(der));
    }

    public static X509CRL crl(byte[] der) throws GeneralSecurityException {
        return (X509CRL) certificateFactory().generateCRL(new ByteArrayInputStream(der));
    }

    static CertPathValidator pathValidator() throws GeneralSecurityException {
        return CertPathValidator.getInstance("PKIX", CERTIFICATES);
    }

    static CertPath path(List<X509Certificate> certificates) throws GeneralSecurityException {
        return certificateFactory().generateCertPath(certificates);
    }

    private static CertificateFactory certificateFactory() throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509", CERTIFICATES);
    }

    private static String signatureName(String keyAlgorithm) {
        return switch (keyAlgorithm) {
            case "RSA" -> "SHA512withRSA";
            case "EC" -> "SHA512withECDSA";
            default -> "Ed25519";
        };
    }

    private static String signatureProvider(String keyAlgorithm) {
        return keyAlgorithm.equals("RSA") ? RSA : ELLIPTIC;
    }
}
