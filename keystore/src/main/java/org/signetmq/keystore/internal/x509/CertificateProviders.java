/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.CertificateList;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyEncapsulation;
import org.signetmq.keystore.keys.SoftwareKey;

/**
 * Looks up the primitives for key stores and certificates. It requests the JDK's providers by name, so that a provider
 * of the application cannot change the rules.
 */
public final class CertificateProviders {
    private static final String CERTIFICATES = "SUN";
    private static final String CIPHERS = "SunJCE";
    private static final String ELLIPTIC = "SunEC";
    private static final String RSA = "SunRsaSign";
    private static final String DIGEST = "SHA-512";

    private CertificateProviders() {}

    public static KeyStore pkcs12() throws GeneralSecurityException {
        return KeyStore.getInstance("PKCS12", CERTIFICATES);
    }

    public static KeyStore jks() throws GeneralSecurityException {
        return KeyStore.getInstance("JKS", CERTIFICATES);
    }

    /** Decrypts content of a PKCS#12 file. The caller has limited the rounds of the derivation. */
    public static byte[] decrypted(AlgorithmIdentifier algorithm, byte[] content, char[] password)
            throws GeneralSecurityException, IOException {
        String id = algorithm.getAlgorithm().getId();
        AlgorithmParameters parameters = AlgorithmParameters.getInstance(id, CIPHERS);
        parameters.init(algorithm.getParameters().toASN1Primitive().getEncoded());
        // the parameters of PBES2 name its cipher
        String name = algorithm.getAlgorithm().equals(PKCSObjectIdentifiers.id_PBES2) ? parameters.toString() : id;
        Cipher cipher = Cipher.getInstance(name, CIPHERS);
        cipher.init(
                Cipher.DECRYPT_MODE,
                SecretKeyFactory.getInstance(name, CIPHERS).generateSecret(new PBEKeySpec(password)),
                parameters);
        return cipher.doFinal(content);
    }

    /** Returns a public key that {@link KeyRules} accept. */
    public static PublicKey publicKey(SubjectPublicKeyInfo key) throws GeneralSecurityException {
        try {
            return factory(key.getAlgorithm()).generatePublic(new X509EncodedKeySpec(key.getEncoded()));
        } catch (IOException e) {
            throw new GeneralSecurityException("key: cannot be encoded", e);
        }
    }

    /** Returns an RSA key, a key on a curve of NIST, an Ed25519 key or a post-quantum key. */
    public static PrivateKey privateKey(PrivateKeyInfo key) throws GeneralSecurityException {
        try {
            return factory(key.getPrivateKeyAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
        } catch (IOException e) {
            throw new GeneralSecurityException("key: cannot be encoded", e);
        }
    }

    private static boolean isPostQuantum(AlgorithmIdentifier algorithm) {
        return KeyAlgorithm.postQuantum(algorithm.getAlgorithm()).isPresent();
    }

    /**
     * Returns the key of an entry. Java 17 does not read post-quantum keys of PKCS#12 files, so Bouncy Castle reads
     * them.
     *
     * @param file the bytes of the key store
     * @throws UnrecoverableKeyException if the password is not that of the key
     */
    public static @Nullable Key key(KeyStore store, String alias, char[] password, byte[] file)
            throws GeneralSecurityException {
        try {
            return store.getKey(alias, password);
        } catch (UnrecoverableKeyException unreadable) {
            Certificate certificate = store.getCertificate(alias);
            if (certificate == null
                    || KeyAlgorithm.postQuantum(certificate.getPublicKey()).isEmpty()) {
                throw unreadable;
            }
            try {
                KeyStore other = KeyStore.getInstance("PKCS12", CryptoProviders.bouncyCastle());
                other.load(new ByteArrayInputStream(file), password);
                return other.getKey(alias, password);
            } catch (IOException e) {
                throw unreadable;
            }
        }
    }

    private static KeyFactory factory(AlgorithmIdentifier algorithm) throws GeneralSecurityException {
        ASN1ObjectIdentifier type = algorithm.getAlgorithm();
        if (isPostQuantum(algorithm)) {
            return KeyFactory.getInstance(type.getId(), CryptoProviders.bouncyCastle());
        }
        if (type.equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return KeyFactory.getInstance("RSA", RSA);
        }
        if (type.equals(X9ObjectIdentifiers.id_ecPublicKey) && KeyRules.isCurve(algorithm.getParameters())) {
            return KeyFactory.getInstance("EC", ELLIPTIC);
        }
        if (type.equals(EdECObjectIdentifiers.id_Ed25519)) {
            return KeyFactory.getInstance("Ed25519", ELLIPTIC);
        }
        throw new NoSuchAlgorithmException(KeyRules.kindProblem(algorithm).orElse("its key is damaged"));
    }

    /** Tells whether two keys are the halves of one pair, by signing and verifying a few bytes. */
    public static boolean isPair(PrivateKey privateKey, PublicKey publicKey) {
        CryptoProviders providers = CryptoProviders.jdk();
        Optional<KeyAlgorithm> postQuantum = KeyAlgorithm.postQuantum(publicKey);
        if (postQuantum.filter(KeyAlgorithm::isMlKem).isPresent()) {
            return isPair(privateKey, KeyEncapsulation.to(publicKey, providers), providers);
        }
        Optional<SignatureScheme> scheme = SignatureScheme.of(publicKey);
        if (scheme.isEmpty()
                || (postQuantum.isEmpty() && !privateKey.getAlgorithm().equals(publicKey.getAlgorithm()))) {
            return false;
        }
        byte[] probe = "signet: do these keys belong together".getBytes(StandardCharsets.US_ASCII);
        try {
            byte[] signature = new SoftwareKey(privateKey, providers).sign(scheme.get(), DIGEST, probe);
            Signature verifying = providers.verifying(scheme.get(), DIGEST, publicKey); // no message: not counted
            verifying.update(probe);
            return verifying.verify(signature);
        } catch (KeystoreUnusableException | GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean isPair(PrivateKey privateKey, KeyEncapsulation made, CryptoProviders providers) {
        try {
            return Arrays.equals(made.secret(), new SoftwareKey(privateKey, providers).decapsulate(made.ciphertext()));
        } catch (KeystoreUnusableException otherKind) {
            return false;
        }
    }

    /** Tells whether the key made the certificate's signature. */
    public static boolean isSignedBy(X509Certificate certificate, PublicKey key) {
        try {
            if (KeyAlgorithm.postQuantum(key).isPresent()) {
                AlgorithmIdentifier algorithm = KeyRules.structure(certificate).getSignatureAlgorithm();
                return new StructureSignature(algorithm, certificate.getSignature())
                        .isBy(key, certificate.getTBSCertificate());
            }
            certificate.verify(key, signatureProvider(key.getAlgorithm()));
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    public static boolean isSignedBy(X509CRL crl, PublicKey key) {
        try {
            if (KeyAlgorithm.postQuantum(key).isPresent()) {
                AlgorithmIdentifier algorithm =
                        CertificateList.getInstance(crl.getEncoded()).getSignatureAlgorithm();
                return new StructureSignature(algorithm, crl.getSignature()).isBy(key, crl.getTBSCertList());
            }
            crl.verify(key, signatureProvider(key.getAlgorithm()));
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns an object that verifies signatures of this algorithm with the key. */
    public static Signature verifying(String algorithm, PublicKey key) throws GeneralSecurityException {
        Optional<KeyAlgorithm> postQuantum = KeyAlgorithm.postQuantum(key);
        if (postQuantum.isPresent()) {
            if (!algorithm.equals(postQuantum.get().standardName())) {
                throw new NoSuchAlgorithmException("key: not for " + algorithm);
            }
            SignatureScheme scheme = SignatureScheme.of(key).orElseThrow(); // the rules accept no names of ML-KEM
            return CryptoProviders.jdk().verifying(scheme, DIGEST, key);
        }
        Signature verifying = Signature.getInstance(algorithm, signatureProvider(key.getAlgorithm()));
        verifying.initVerify(key);
        return verifying;
    }

    public static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
        return certificate(new ByteArrayInputStream(der));
    }

    /** Reads the next certificate of a stream in DER, and no byte behind it. */
    public static X509Certificate certificate(InputStream der) throws GeneralSecurityException {
        return (X509Certificate) certificateFactory().generateCertificate(der);
    }

    public static X509CRL crl(byte[] der) throws GeneralSecurityException {
        return (X509CRL) certificateFactory().generateCRL(new ByteArrayInputStream(der));
    }

    /** A validator of paths with its own form of certificates. */
    enum PathValidation {
        USUAL,
        POST_QUANTUM;

        CertPathValidator validator() throws GeneralSecurityException {
            return this == USUAL
                    ? CertPathValidator.getInstance("PKIX", CERTIFICATES)
                    : CertPathValidator.getInstance("PKIX", CryptoProviders.bouncyCastle());
        }

        private CertificateFactory factory() throws GeneralSecurityException {
            return this == USUAL
                    ? certificateFactory()
                    : CertificateFactory.getInstance("X.509", CryptoProviders.bouncyCastle());
        }

        /** Returns a certificate in the form that the validator verifies. */
        X509Certificate certificate(X509Certificate certificate) throws GeneralSecurityException {
            return this == USUAL
                    ? certificate
                    : (X509Certificate)
                            factory().generateCertificate(new ByteArrayInputStream(PublicKeyInfo.encoded(certificate)));
        }

        CertPath path(List<X509Certificate> certificates) throws GeneralSecurityException {
            List<X509Certificate> converted = new ArrayList<>();
            for (X509Certificate certificate : certificates) {
                converted.add(certificate(certificate));
            }
            return factory().generateCertPath(converted);
        }
    }

    private static CertificateFactory certificateFactory() throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509", CERTIFICATES);
    }

    private static String signatureProvider(String keyAlgorithm) {
        return keyAlgorithm.equals("RSA") ? RSA : ELLIPTIC;
    }

    /**
     * The signature of a revocation list, of an OCSP answer or of a request for a certificate.
     *
     * @param value owned by this object
     */
    public record StructureSignature(AlgorithmIdentifier algorithm, byte[] value) {
        /**
         * The names of weak algorithms. SHA-1 can revoke, but {@link #isStrong} does not let it prove anything else.
         */
        private static final Map<ASN1ObjectIdentifier, String> WEAK = Map.of(
                PKCSObjectIdentifiers.sha1WithRSAEncryption, "SHA1withRSA",
                X9ObjectIdentifiers.ecdsa_with_SHA1, "SHA1withECDSA");

        /** Tells whether the algorithm is one that the rules for certificates accept. */
        public boolean isStrong() {
            return KeyRules.isStrong(algorithm);
        }

        /** Tells whether this key signed these bytes. */
        public boolean isBy(PublicKey key, byte[] bytes) {
            String name = KeyRules.signatureName(algorithm);
            try {
                Signature verifying =
                        CertificateProviders.verifying(WEAK.getOrDefault(algorithm.getAlgorithm(), name), key);
                if (name.equals(KeyRules.PSS)) {
                    verifying.setParameter(parameters());
                }
                verifying.update(bytes);
                return verifying.verify(value);
            } catch (GeneralSecurityException | IOException | RuntimeException unverifiable) {
                return false;
            }
        }

        private PSSParameterSpec parameters() throws GeneralSecurityException, IOException {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance(KeyRules.PSS);
            parameters.init(algorithm.getParameters().toASN1Primitive().getEncoded());
            return parameters.getParameterSpec(PSSParameterSpec.class);
        }
    }
}
