/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import org.bouncycastle.util.BigIntegers;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * A private key of a token after a login, and the operations that the token computes with it. Paddings that tokens may
 * lack are made outside. Immutable.
 *
 * @param provider computes in the token
 * @param key a handle of the key; its value is in the token
 * @param chain the certificates in the token or the home: that of the key first, then its issuers
 * @param entry the place of the key in the token
 */
record OpenedKey(Provider provider, PrivateKey key, List<X509Certificate> chain, Entry entry) {
    private static final byte[] PROOF = "Signet proves a key".getBytes(StandardCharsets.US_ASCII);
    private static final String PROOF_DIGEST = "SHA-256";
    private static final CryptoProviders SOFTWARE = CryptoProviders.jdk();

    /**
     * The place of a key in a token. Several entries may have certificates of the same public key.
     *
     * @param alias names it in a listing
     * @param certificate the one in the token, which the home may replace by another one of the same key
     */
    record Entry(String alias, X509Certificate certificate) {}

    /** Returns the certificate of the key. */
    X509Certificate certificate() {
        return chain.get(0);
    }

    /** Returns the encoded public key of the pair. */
    PublicKeyInfo info() {
        return PublicKeyInfo.of(certificate());
    }

    /** Returns the public key of the pair. */
    PublicKey publicKey() {
        return certificate().getPublicKey();
    }

    byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) throws GeneralSecurityException {
        if (scheme == SignatureScheme.RSA_PSS) {
            return RsaPadding.signPss(block -> rawRsa(Cipher.ENCRYPT_MODE, block), rsa(), digest, bytes);
        }
        Signature signature = Signature.getInstance(scheme.primitive(digest), provider);
        signature.initSign(key);
        signature.update(bytes);
        return signature.sign();
    }

    /**
     * Decrypts without a padding.
     *
     * @param block one that {@link #isCiphertext} allows
     */
    byte[] decrypt(byte[] block) throws GeneralSecurityException {
        return rawRsa(Cipher.DECRYPT_MODE, block);
    }

    /** SunPKCS11 signs where a private key encrypts. */
    private byte[] rawRsa(int mode, byte[] block) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding", provider);
        cipher.init(mode, key);
        return atLength(cipher.doFinal(block), modulusLength(rsa()));
    }

    static int modulusLength(RSAPublicKey key) {
        return (key.getModulus().bitLength() + 7) / 8;
    }

    /**
     * Returns whether a block from a message may be an encrypted key. Numbers that RSA does not change are none, and
     * some tokens fail on them.
     */
    static boolean isCiphertext(byte[] block, RSAPublicKey key) {
        BigInteger number = new BigInteger(1, block.length == modulusLength(key) ? block : new byte[0]);
        return number.compareTo(BigInteger.ONE) > 0
                && number.compareTo(key.getModulus().subtract(BigInteger.ONE)) < 0;
    }

    /** Returns the x-coordinate of the shared point. */
    byte[] agree(ECPublicKey other) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", provider);
        agreement.init(key);
        agreement.doPhase(other, true);
        int fieldBits = other.getParams().getCurve().getField().getFieldSize();
        return atLength(agreement.generateSecret(), (fieldBits + 7) / 8);
    }

    /**
     * Returns a number with as many leading zeros as its length needs. Some tokens leave them out. It copies each
     * number, because the time must not show whether one began with zero.
     */
    private static byte[] atLength(byte[] number, int length) throws InvalidKeyException {
        if (number.length > length) {
            throw new InvalidKeyException("the token's result is too long");
        }
        byte[] filled = new byte[length];
        System.arraycopy(number, 0, filled, length - number.length, number.length);
        Arrays.fill(number, (byte) 0);
        return filled;
    }

    private RSAPublicKey rsa() throws InvalidKeyException {
        if (publicKey() instanceof RSAPublicKey rsa) {
            return rsa;
        }
        throw new InvalidKeyException("not an RSA key");
    }

    /**
     * Proves by one operation that the token holds the private key of the certificate, and that the key works now. A
     * key that may only sign proves it by a signature.
     */
    boolean proves() throws GeneralSecurityException {
        try {
            return publicKey() instanceof RSAPublicKey rsa ? decrypts(rsa) : agrees();
        } catch (GeneralSecurityException | ProviderException e) {
            if (TokenFailure.of(e).kind() != TokenFailure.Kind.NOT_PERMITTED) {
                throw e;
            }
            return signs();
        }
    }

    private boolean decrypts(RSAPublicKey rsa) throws GeneralSecurityException {
        byte[] block = new byte[modulusLength(rsa)];
        new SecureRandom().nextBytes(block);
        block[0] = 0; // smaller than the modulus
        BigInteger encrypted = new BigInteger(1, block).modPow(rsa.getPublicExponent(), rsa.getModulus());
        return Arrays.equals(decrypt(BigIntegers.asUnsignedByteArray(block.length, encrypted)), block);
    }

    private boolean agrees() throws GeneralSecurityException {
        if (!(publicKey() instanceof ECPublicKey own)) {
            return false;
        }
        KeyPairGenerator generator = SOFTWARE.ecKeyPairs();
        generator.initialize(own.getParams());
        KeyPair other = generator.generateKeyPair();
        KeyAgreement agreement = SOFTWARE.ecdh();
        agreement.init(other.getPrivate());
        agreement.doPhase(own, true);
        byte[] expected = agreement.generateSecret();
        byte[] found = agree((ECPublicKey) other.getPublic());
        boolean same = Arrays.equals(found, expected);
        Arrays.fill(expected, (byte) 0);
        Arrays.fill(found, (byte) 0);
        return same;
    }

    private boolean signs() throws GeneralSecurityException {
        SignatureScheme scheme = SignatureScheme.of(publicKey()).orElseThrow();
        byte[] signed = sign(scheme, PROOF_DIGEST, PROOF);
        Signature verifying = SOFTWARE.verifying(scheme, PROOF_DIGEST, publicKey());
        verifying.update(PROOF);
        return verifying.verify(signed);
    }
}
