/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jcajce.interfaces.MLDSAPrivateKey;
import org.bouncycastle.jcajce.interfaces.MLKEMPrivateKey;
import org.bouncycastle.jcajce.spec.MLDSAParameterSpec;
import org.bouncycastle.jcajce.spec.MLKEMParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.SignatureScheme;

/**
 * Looks up the cryptographic primitives for messages in the fastest provider. {@code CertificateProviders} looks up
 * those for key stores and certificates, and {@code OpenedKey} those of a token. No other class looks up a primitive,
 * and no provider is installed globally. Thread-safe.
 *
 * <ul>
 *   <li>The native library of the Amazon Corretto Crypto Provider serves AES-GCM, RSA and elliptic curves. It must be
 *       on the class path and pass its self-test.
 *   <li>Without it the JDK serves AES-GCM and RSA. Bouncy Castle serves elliptic curves, up to ten times as fast as the
 *       JDK.
 *   <li>The JDK serves ML-DSA from version 24. Before it, the native library does, or Bouncy Castle.
 *   <li>AES key wrap and SHA are always the JDK's.
 * </ul>
 */
public final class CryptoProviders {
    private static final CryptoProviders STANDARD = new CryptoProviders(true);
    private static final CryptoProviders JDK = new CryptoProviders(false);
    private static final String OAEP = "RSA/ECB/OAEPPadding";

    /** The Amazon Corretto Crypto Provider, an optional native library for some platforms. */
    private static final String NATIVE = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

    private static final String ML_DSA = "ML-DSA";

    /** The system property that excludes the native provider if it is true. */
    private static final String JAVA_ONLY = "signet.crypto.java-only";

    private static final long MOST_NANOS_OF_A_NEW_KEY = TimeUnit.MICROSECONDS.toNanos(15);
    private static final int ROUNDS = 8;
    private static final int MESSAGE_LENGTH = 64;

    private final Provider sunEc = Security.getProvider("SunEC");
    private final Provider sunRsa = Security.getProvider("SunRsaSign");
    private final boolean fast;
    private volatile @Nullable Loaded loaded; // written under this
    private @Nullable Provider aes; // guarded by this

    private record Loaded(@Nullable Provider accelerated, SecureRandom random) {}

    /** Creates a choice of its own. Other classes share {@link #standard} and {@link #jdk}. */
    CryptoProviders(boolean fast) {
        this.fast = fast;
    }

    /** Creates Bouncy Castle at its first use, because that takes 0.1 seconds. */
    private static final class BouncyCastle {
        static final Provider PROVIDER = new BouncyCastleProvider();
    }

    /** Returns Bouncy Castle, for formats of files that the JDK cannot read. */
    public static Provider bouncyCastle() {
        return BouncyCastle.PROVIDER;
    }

    /** Returns the fastest providers of this machine. A program calls it once, and passes the result to its parts. */
    public static CryptoProviders standard() {
        return STANDARD;
    }

    /** Returns the JDK's own providers only. They are slower, but a single operation has no library to load. */
    public static CryptoProviders jdk() {
        return JDK;
    }

    private Loaded loaded() {
        Loaded known = loaded;
        return known == null ? load() : known;
    }

    /** Loads the native library at its first use, because that takes half a second. */
    private synchronized Loaded load() {
        Loaded known = loaded;
        if (known == null) {
            Optional<Provider> accelerated = fast ? nativeProvider() : Optional.empty();
            known = new Loaded(accelerated.orElse(null), random(accelerated));
            loaded = known;
        }
        return known;
    }

    /** Returns the native provider if it is on the class path, its library loads here, and its self-test passes. */
    private static Optional<Provider> nativeProvider() {
        if (Boolean.getBoolean(JAVA_ONLY)) {
            return Optional.empty();
        }
        try {
            Class<?> type = Class.forName(NATIVE);
            Provider provider = (Provider) type.getField("INSTANCE").get(null);
            type.getMethod("assertHealthy").invoke(provider);
            return Optional.of(provider);
        } catch (ReflectiveOperationException | LinkageError absentOrUnhealthy) {
            return Optional.empty(); // everything works without it
        }
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

    /** Returns the native provider, or null if it does not support the algorithm. */
    private @Nullable Provider accelerated(String type, String algorithm) {
        Provider accelerated = loaded().accelerated();
        return accelerated == null || accelerated.getService(type, algorithm) == null ? null : accelerated;
    }

    private Provider elliptic() {
        Provider accelerated = loaded().accelerated();
        return accelerated == null ? ellipticOfJava() : accelerated;
    }

    private Provider ellipticOfJava() {
        return fast ? BouncyCastle.PROVIDER : sunEc;
    }

    /** Returns the native provider; empty if it does not work on this machine. */
    public Optional<Provider> accelerated() {
        return Optional.ofNullable(loaded().accelerated());
    }

    /** Returns the shared random generator, which the operating system seeds. */
    public SecureRandom random() {
        return loaded().random();
    }

    /** Creates a digest by its name, such as SHA-256, SHA-384 or SHA-512. */
    public static MessageDigest digest(String algorithm) {
        return found(() -> MessageDigest.getInstance(algorithm));
    }

    /** Returns the SHA-256 of the bytes. */
    public static byte[] sha256(byte[] bytes) {
        return digest("SHA-256").digest(bytes);
    }

    /**
     * Returns the provider that encrypts messages. This is the native one, unless its cipher is slow with new keys on
     * this machine. It takes a third less time and a sixth of the garbage of the JDK's cipher. The first call measures
     * it.
     */
    public synchronized Provider aes() {
        Provider chosen = aes;
        if (chosen == null) {
            Provider accelerated = accelerated("Cipher", "AES/GCM/NoPadding");
            chosen = accelerated != null && isFastWithNewKeys(aesGcm(accelerated))
                    ? accelerated
                    : Security.getProvider("SunJCE");
            aes = chosen;
        }
        return chosen;
    }

    /**
     * Tells whether an AES-GCM cipher takes little extra time for the first messages under a key. Usually this is about
     * a microsecond. On one kind of machine it was fifty, and policies with small key reuse paid them often. It
     * measures several times, for a few milliseconds in all.
     */
    boolean isFastWithNewKeys(Cipher cipher) {
        long first = Long.MAX_VALUE;
        long next = Long.MAX_VALUE;
        try {
            for (int i = 0; i < ROUNDS; i++) {
                try (DataKey key = DataKey.generate(this)) {
                    first = Math.min(first, nanosOfTwoMessages(cipher, key.secret()));
                    next = Math.min(next, nanosOfTwoMessages(cipher, key.secret()));
                }
            }
            return first - next <= MOST_NANOS_OF_A_NEW_KEY;
        } catch (GeneralSecurityException unusable) {
            return false;
        }
    }

    /** Encrypts two messages, because only the second use makes a provider keep its values of a key. */
    private long nanosOfTwoMessages(Cipher cipher, SecretKey key) throws GeneralSecurityException {
        byte[] message = new byte[MESSAGE_LENGTH + ContentCipher.TAG_LENGTH];
        long begun = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            byte[] nonce = new byte[KeyLease.NONCE_LENGTH];
            random().nextBytes(nonce);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(ContentCipher.TAG_LENGTH * Byte.SIZE, nonce));
            cipher.doFinal(message, 0, MESSAGE_LENGTH, message, 0);
        }
        return System.nanoTime() - begun;
    }

    /** Creates a cipher for AES-GCM of the provider {@link #aes()}. */
    public Cipher aesGcm() {
        return aesGcm(aes());
    }

    private static Cipher aesGcm(Provider provider) {
        return found(() -> Cipher.getInstance("AES/GCM/NoPadding", provider));
    }

    /**
     * Returns the cipher for long contents, where the cost of a new key does not count. The native cipher has full
     * speed from the start. The JDK's cipher is fifty times slower until the compiler uses the AES instructions, after
     * about a hundred such contents.
     */
    public Cipher aesGcmInBulk() {
        Provider accelerated = accelerated("Cipher", "AES/GCM/NoPadding");
        return accelerated == null ? aesGcm() : aesGcm(accelerated);
    }

    /** Creates a cipher for AES key wrap (RFC 3394). */
    public Cipher aesKeyWrap() {
        return found(() -> Cipher.getInstance("AES/KW/NoPadding", "SunJCE"));
    }

    /** Creates a cipher for RSAES-OAEP (RFC 8017). */
    public Cipher rsaOaep() {
        Provider accelerated = accelerated("Cipher", OAEP);
        return found(
                () -> accelerated == null ? Cipher.getInstance(OAEP, "SunJCE") : Cipher.getInstance(OAEP, accelerated));
    }

    private KeyFactory rsaOaepKeys() throws GeneralSecurityException {
        Provider accelerated = accelerated("Cipher", OAEP);
        return KeyFactory.getInstance("RSA", accelerated == null ? sunRsa : accelerated);
    }

    /**
     * Returns a private key in the form of the provider that decrypts or agrees keys with it. With another form the
     * provider would convert it for each operation. With RSA that takes twice as long as the operation.
     */
    PrivateKey converted(PrivateKey key) throws GeneralSecurityException {
        KeyFactory keys = key.getAlgorithm().equals("RSA") ? rsaOaepKeys() : ellipticKeys();
        return keys.generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
    }

    /** Returns a public RSA key in the form of the provider of {@link #rsaOaep}. */
    PublicKey convertedForOaep(PublicKey key) throws GeneralSecurityException {
        return rsaOaepKeys().generatePublic(new X509EncodedKeySpec(key.getEncoded()));
    }

    private KeyFactory ellipticKeys() throws GeneralSecurityException {
        return KeyFactory.getInstance("EC", elliptic());
    }

    Cipher rsaPkcs1() {
        return found(() -> Cipher.getInstance("RSA/ECB/PKCS1Padding", "SunJCE"));
    }

    /** Creates a key agreement by elliptic-curve Diffie-Hellman. */
    public KeyAgreement ecdh() {
        return found(() -> KeyAgreement.getInstance("ECDH", elliptic()));
    }

    /** Creates a generator of elliptic-curve key pairs. */
    public KeyPairGenerator ecKeyPairs() {
        return found(() -> KeyPairGenerator.getInstance("EC", elliptic()));
    }

    /**
     * Generates a key pair for an identity with the JDK, or a post-quantum one with Bouncy Castle. The encoded form of
     * a post-quantum private key is its seed alone, as RFC 9881 and RFC 9935 recommend.
     *
     * @throws GeneralSecurityException if the provider lacks the algorithm
     */
    public static KeyPair generate(KeyAlgorithm algorithm, SecureRandom random) throws GeneralSecurityException {
        return switch (algorithm) {
            case EC_P256 -> generate("EC", new ECGenParameterSpec("secp256r1"), random);
            case EC_P384 -> generate("EC", new ECGenParameterSpec("secp384r1"), random);
            case EC_P521 -> generate("EC", new ECGenParameterSpec("secp521r1"), random);
            case RSA_2048 -> generate("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4), random);
            case RSA_3072 -> generate("RSA", new RSAKeyGenParameterSpec(3072, RSAKeyGenParameterSpec.F4), random);
            case RSA_4096 -> generate("RSA", new RSAKeyGenParameterSpec(4096, RSAKeyGenParameterSpec.F4), random);
            case ED25519 -> generate("Ed25519", NamedParameterSpec.ED25519, random);
            case ML_DSA_65, ML_DSA_87, ML_KEM_768, ML_KEM_1024 -> generatePostQuantum(algorithm, random);
        };
    }

    private static KeyPair generatePostQuantum(KeyAlgorithm algorithm, SecureRandom random)
            throws GeneralSecurityException {
        String name = algorithm.standardName();
        KeyPairGenerator generator = KeyPairGenerator.getInstance(name, BouncyCastle.PROVIDER);
        generator.initialize(
                algorithm.isMlDsa() ? MLDSAParameterSpec.fromName(name) : MLKEMParameterSpec.fromName(name), random);
        KeyPair pair = generator.generateKeyPair();
        PrivateKey seed = pair.getPrivate() instanceof MLDSAPrivateKey signing
                ? signing.getPrivateKey(true)
                : ((MLKEMPrivateKey) pair.getPrivate()).getPrivateKey(true);
        return new KeyPair(pair.getPublic(), seed);
    }

    /** Decodes a post-quantum private key from its PrivateKeyInfo (RFC 9881, RFC 9935). */
    public static PrivateKey postQuantum(PrivateKeyInfo key) throws GeneralSecurityException {
        try {
            String algorithm = key.getPrivateKeyAlgorithm().getAlgorithm().getId();
            return KeyFactory.getInstance(algorithm, BouncyCastle.PROVIDER)
                    .generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
        } catch (IOException | RuntimeException damaged) { // the parser throws undocumented exceptions
            throw new InvalidKeySpecException("key: damaged", damaged);
        }
    }

    private static KeyPair generate(String algorithm, AlgorithmParameterSpec size, SecureRandom random)
            throws GeneralSecurityException {
        KeyPairGenerator generator =
                KeyPairGenerator.getInstance(algorithm, algorithm.equals("RSA") ? "SunRsaSign" : "SunEC");
        generator.initialize(size, random);
        return generator.generateKeyPair();
    }

    /**
     * Prepares a signature algorithm for signing. Bouncy Castle's elliptic curves sign deterministically (RFC 6979).
     * Otherwise two copies of a machine with one state of the random generator would reveal the private key.
     */
    public Signature signing(SignatureScheme scheme, String digest, PrivateKey key) throws GeneralSecurityException {
        String algorithm = scheme.primitive(digest);
        Provider provider = signatureProvider(algorithm);
        Signature signature = withParameters(
                scheme,
                digest,
                provider instanceof BouncyCastleProvider ? algorithm.replace("withECDSA", "withECDDSA") : algorithm,
                provider);
        byte[] encoded = scheme.isMlDsa() ? expanded(key) : key.getEncoded();
        signature.initSign(keyFactory(key, algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded)), random());
        return signature;
    }

    private static byte[] encoded(SignatureScheme scheme, PublicKey key) throws GeneralSecurityException {
        try {
            return scheme.isMlDsa() ? PublicKeyInfo.structure(key).getEncoded() : key.getEncoded();
        } catch (IOException e) {
            throw new InvalidKeyException("key: cannot be encoded", e);
        }
    }

    /** Returns the one form of an ML-DSA key that all providers read. The JDK does not read seeds. */
    private static byte[] expanded(PrivateKey key) throws GeneralSecurityException {
        PrivateKey converted = postQuantum(PrivateKeyInfo.getInstance(key.getEncoded()));
        if (converted instanceof MLDSAPrivateKey signing) {
            return signing.getPrivateKey(false).getEncoded();
        }
        throw new InvalidKeyException("key: not of ML-DSA");
    }

    /** Prepares a signature algorithm for verification. */
    public Signature verifying(SignatureScheme scheme, String digest, PublicKey key) throws GeneralSecurityException {
        String algorithm = scheme.primitive(digest);
        Signature signature = withParameters(scheme, digest, algorithm, signatureProvider(algorithm));
        signature.initVerify(keyFactory(key, algorithm).generatePublic(new X509EncodedKeySpec(encoded(scheme, key))));
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
        if (algorithm.equals(ML_DSA)) {
            return mlDsa();
        }
        Provider accelerated = accelerated("Signature", algorithm);
        if (accelerated != null) {
            return accelerated;
        }
        return algorithm.contains("RSA") ? sunRsa : ellipticOfJava();
    }

    /** Returns the provider of ML-DSA: the JDK from version 24, which is the fastest, else the native one. */
    private Provider mlDsa() {
        Provider sun = Security.getProvider("SUN");
        if (sun.getService("Signature", ML_DSA) != null) {
            return sun;
        }
        Provider accelerated = accelerated("Signature", ML_DSA);
        return accelerated == null ? BouncyCastle.PROVIDER : accelerated;
    }

    /** Returns a factory of keys in the form of the signature provider, which then need no conversion. */
    private KeyFactory keyFactory(Key key, String signatureAlgorithm) throws GeneralSecurityException {
        if (signatureAlgorithm.equals(ML_DSA)) {
            return KeyFactory.getInstance(ML_DSA, mlDsa());
        }
        return KeyFactory.getInstance(family(key), keyProvider(family(key), signatureAlgorithm));
    }

    /** Returns the name of the key factory. Providers use different names for one kind of key. */
    private static String family(Key key) {
        return key.getAlgorithm().equals("Ed25519") ? "EdDSA" : key.getAlgorithm();
    }

    /** Returns the provider of the key factory. The native provider accepts keys of the JDK where it has no factory. */
    private Provider keyProvider(String keyAlgorithm, String signatureAlgorithm) {
        Provider provider = signatureProvider(signatureAlgorithm);
        if (provider.getService("KeyFactory", keyAlgorithm) != null) {
            return provider;
        }
        return provider.equals(loaded().accelerated()) ? sunEc : ellipticOfJava();
    }

    /** Decodes a public EC key from its SubjectPublicKeyInfo, and checks that it is a point of its curve. */
    static PublicKey ecPublicKey(byte[] subjectPublicKeyInfo) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC", BouncyCastle.PROVIDER)
                .generatePublic(new X509EncodedKeySpec(subjectPublicKeyInfo));
    }

    /**
     * Computes the shared secret of two keys on one curve (SEC 1, section 3.3.1). The caller wipes it.
     *
     * @param own a key of {@link #ecKeyPairs} or {@link #converted}
     */
    byte[] agree(PrivateKey own, PublicKey other) throws GeneralSecurityException {
        KeyAgreement agreement = ecdh();
        agreement.init(own);
        agreement.doPhase(ellipticKeys().generatePublic(new X509EncodedKeySpec(other.getEncoded())), true);
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
