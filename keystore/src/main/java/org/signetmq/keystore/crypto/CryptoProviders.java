/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/**
 * Which provider does what for messages, chosen for speed; {@link CertificateProviders} says it for key stores and
 * certificates, and no other class looks up a primitive. Nothing is installed globally. Where the native library of the
 * Amazon Corretto Crypto Provider is on the class path and passes its self-test it serves AES-GCM, RSA and elliptic
 * curves; else the JDK serves AES-GCM and RSA, and Bouncy Castle elliptic curves, whose JDK counterparts are up to ten
 * times slower. AES key wrap and SHA are the JDK's always. Thread-safe.
 */
public final class CryptoProviders {
    private static final CryptoProviders STANDARD = new CryptoProviders(NativeProvider.find());

    private final Provider sunEc = Security.getProvider("SunEC");
    private final Provider sunRsa = Security.getProvider("SunRsaSign");
    private final @Nullable Provider accelerated;
    private final SecureRandom random;

    private CryptoProviders(Optional<Provider> accelerated) {
        this.accelerated = accelerated.orElse(null);
        this.random = random(accelerated);
    }

    /** Made when it is first needed: it takes a tenth of a second, and often nobody needs it. */
    private static final class BouncyCastle {
        static final Provider PROVIDER = new BouncyCastleProvider();
    }

    /** The choice for this machine, made once. */
    public static CryptoProviders standard() {
        return STANDARD;
    }

    private static SecureRandom random(Optional<Provider> accelerated) {
        Optional<Provider.Service> service =
                accelerated.map(provider -> provider.getService("SecureRandom", "LibCryptoRng"));
        if (service.isEmpty()) {
            return new SecureRandom();
        }
        return found(() -> SecureRandom.getInstance(
                service.get().getAlgorithm(), service.get().getProvider()));
    }

    /** The native provider, if it serves here. */
    public Optional<Provider> accelerated() {
        return Optional.ofNullable(accelerated);
    }

    /** Shared; seeded by the operating system. */
    public SecureRandom random() {
        return random;
    }

    /** A SHA-512 digest. */
    public MessageDigest sha512() {
        return found(() -> MessageDigest.getInstance("SHA-512"));
    }

    /** A digest that a signature names: SHA-256, SHA-384 or SHA-512. */
    public MessageDigest digest(String algorithm) {
        return found(() -> MessageDigest.getInstance(algorithm));
    }

    /** SHA-256 of bytes. */
    public byte[] sha256(byte[] bytes) {
        return digest("SHA-256").digest(bytes);
    }

    /** Chosen when it is first needed: often nobody needs it. */
    private static final class Aes {
        static final Provider PROVIDER = provider(STANDARD);

        private static Provider provider(CryptoProviders providers) {
            Provider accelerated = providers.accelerated;
            return accelerated != null
                            && accelerated.getService("Cipher", "AES/GCM/NoPadding") != null
                            && NewKeyCost.isSmall(providers, aesGcm(accelerated))
                    ? accelerated
                    : Security.getProvider("SunJCE");
        }
    }

    /**
     * What encrypts messages: the native cipher, unless it takes long for each new key here. It does with a third less
     * time and a sixth of the garbage what the JDK's does, and is as fast from the start.
     */
    public Provider aes() {
        return Aes.PROVIDER;
    }

    public Cipher aesGcm() {
        return aesGcm(aes());
    }

    private static Cipher aesGcm(Provider provider) {
        return found(() -> Cipher.getInstance("AES/GCM/NoPadding", provider));
    }

    /**
     * For contents so long that a new key costs nothing beside them. The JDK's cipher needs some hundred of these
     * before its compiler has found the instructions for AES, and is fifty times slower until then; the native one has
     * them from the start.
     */
    public Cipher aesGcmInBulk() {
        return accelerated == null || accelerated.getService("Cipher", "AES/GCM/NoPadding") == null
                ? aesGcm()
                : aesGcm(accelerated);
    }

    public Cipher aesKeyWrap() {
        return found(() -> Cipher.getInstance("AES/KW/NoPadding", "SunJCE"));
    }

    public Cipher rsaOaep() {
        return found(() -> accelerated == null || accelerated.getService("Cipher", "RSA/ECB/OAEPPadding") == null
                ? Cipher.getInstance("RSA/ECB/OAEPPadding", "SunJCE")
                : Cipher.getInstance("RSA/ECB/OAEPPadding", accelerated));
    }

    Cipher rsaPkcs1() {
        return found(() -> Cipher.getInstance("RSA/ECB/PKCS1Padding", "SunJCE"));
    }

    public KeyAgreement ecdh() {
        return found(() -> accelerated == null
                ? KeyAgreement.getInstance("ECDH", BouncyCastle.PROVIDER)
                : KeyAgreement.getInstance("ECDH", accelerated));
    }

    public KeyPairGenerator ecKeyPairs() {
        return found(
                () -> KeyPairGenerator.getInstance("EC", accelerated == null ? BouncyCastle.PROVIDER : accelerated));
    }

    /**
     * A signature primitive by its JCA name: SHA512withECDSA, SHA512withRSA, RSASSA-PSS, Ed25519 and their SHA-256 and
     * SHA-384 kin.
     */
    public Signature signature(String algorithm) {
        return found(() -> Signature.getInstance(algorithm, signatureProvider(algorithm)));
    }

    /**
     * Prepares a primitive that signs. Bouncy Castle's elliptic curves sign deterministically (RFC 6979). Otherwise two
     * copies of a machine with one state of the random generator would give the private key away.
     */
    public Signature signing(SignatureScheme scheme, String digest, PrivateKey key) throws GeneralSecurityException {
        String algorithm = scheme.primitive(digest);
        Provider provider = signatureProvider(algorithm);
        Signature signature = withParameters(
                scheme,
                digest,
                provider.equals(accelerated) ? algorithm : algorithm.replace("withECDSA", "withECDDSA"),
                provider);
        signature.initSign(
                keyFactory(key, algorithm).generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded())), random);
        return signature;
    }

    /** Prepares a primitive that verifies. */
    public Signature verifying(SignatureScheme scheme, String digest, PublicKey key) throws GeneralSecurityException {
        String algorithm = scheme.primitive(digest);
        Signature signature = withParameters(scheme, digest, algorithm, signatureProvider(algorithm));
        signature.initVerify(keyFactory(key, algorithm).generatePublic(new X509EncodedKeySpec(key.getEncoded())));
        return signature;
    }

    private static Signature withParameters(SignatureScheme scheme, String digest, String algorithm, Provider provider)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm, provider);
        PSSParameterSpec parameters = scheme.parameters(digest);
        if (parameters != null) {
            signature.setParameter(parameters);
        }
        return signature;
    }

    private Provider signatureProvider(String algorithm) {
        if (accelerated != null && accelerated.getService("Signature", algorithm) != null) {
            return accelerated;
        }
        return algorithm.contains("RSA") ? sunRsa : BouncyCastle.PROVIDER;
    }

    /** Makes keys in the form that the signature provider works with, so that it does not convert them per message. */
    private KeyFactory keyFactory(Key key, String signatureAlgorithm) throws GeneralSecurityException {
        return KeyFactory.getInstance(family(key), keyProvider(family(key), signatureAlgorithm));
    }

    /** Keys of one family bear different names with different providers. */
    private static String family(Key key) {
        return key.getAlgorithm().equals("Ed25519") ? "EdDSA" : key.getAlgorithm();
    }

    /** The native provider takes keys of the JDK's form where it has none of its own. */
    private Provider keyProvider(String keyAlgorithm, String signatureAlgorithm) {
        Provider provider = signatureProvider(signatureAlgorithm);
        if (provider.getService("KeyFactory", keyAlgorithm) != null) {
            return provider;
        }
        return provider.equals(accelerated) ? sunEc : BouncyCastle.PROVIDER;
    }

    /** A public EC key from its SubjectPublicKeyInfo, checked to be a point of its curve. */
    PublicKey ecPublicKey(byte[] subjectPublicKeyInfo) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC", BouncyCastle.PROVIDER)
                .generatePublic(new X509EncodedKeySpec(subjectPublicKeyInfo));
    }

    /** The shared secret of two keys on one curve (SEC 1, section 3.3.1). The caller wipes it. */
    byte[] agree(PrivateKey own, PublicKey other) throws GeneralSecurityException {
        KeyFactory keys = KeyFactory.getInstance("EC", accelerated == null ? BouncyCastle.PROVIDER : accelerated);
        KeyAgreement agreement = ecdh();
        agreement.init(keys.generatePrivate(new PKCS8EncodedKeySpec(own.getEncoded())));
        agreement.doPhase(keys.generatePublic(new X509EncodedKeySpec(other.getEncoded())), true);
        return agreement.generateSecret();
    }

    private interface Lookup<T> {
        T find() throws GeneralSecurityException;
    }

    private static <T> T found(Lookup<T> lookup) {
        try {
            return lookup.find();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("crypto: a primitive is missing from this Java runtime", missing);
        }
    }
}
