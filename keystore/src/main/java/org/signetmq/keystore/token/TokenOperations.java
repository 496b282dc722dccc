/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import org.bouncycastle.util.BigIntegers;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The operations that a token computes with a private key. Paddings that tokens may lack are made outside. */
final class TokenOperations {
    private static final byte[] PROOF = "Signet proves a key".getBytes(US_ASCII);
    private static final String PROOF_DIGEST = "SHA-256";
    private static final CryptoProviders SOFTWARE = CryptoProviders.jdk();

    private TokenOperations() {}

    static byte[] sign(OpenedKey opened, SignatureScheme scheme, String digest, byte[] bytes)
            throws GeneralSecurityException {
        if (scheme == SignatureScheme.RSA_PSS) {
            return RsaPadding.signPss(block -> rawRsa(opened, Cipher.ENCRYPT_MODE, block), rsa(opened), digest, bytes);
        }
        Signature signature = Signature.getInstance(scheme.primitive(digest), opened.provider());
        signature.initSign(opened.key());
        signature.update(bytes);
        return signature.sign();
    }

    /**
     * Decrypts without a padding.
     *
     * @param block one that {@link #isCiphertext} allows
     */
    static byte[] decrypt(OpenedKey opened, byte[] block) throws GeneralSecurityException {
        return rawRsa(opened, Cipher.DECRYPT_MODE, block);
    }

    /** SunPKCS11 signs where a private key encrypts. */
    private static byte[] rawRsa(OpenedKey opened, int mode, byte[] block) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding", opened.provider());
        cipher.init(mode, opened.key());
        return atLength(cipher.doFinal(block), modulusLength(rsa(opened)));
    }

    static int modulusLength(RSAPublicKey key) {
        return (key.getModulus().bitLength() + 7) / 8;
    }

    /**
     * Returns whether a block from a message may be an encrypted key. Numbers that RSA does not change are none, and
     * some tokens fail on them.
     */
    static boolean isCiphertext(byte[] block, RSAPublicKey key) {
        if (block.length != modulusLength(key)) {
            return false;
        }
        BigInteger number = new BigInteger(1, block);
        return number.compareTo(BigInteger.ONE) > 0
                && number.compareTo(key.getModulus().subtract(BigInteger.ONE)) < 0;
    }

    /** Returns the x-coordinate of the shared point. */
    static byte[] agree(OpenedKey opened, ECPublicKey other) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", opened.provider());
        agreement.init(opened.key());
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

    private static RSAPublicKey rsa(OpenedKey opened) throws InvalidKeyException {
        if (opened.publicKey() instanceof RSAPublicKey key) {
            return key;
        }
        throw new InvalidKeyException("not an RSA key");
    }

    /**
     * Proves by one operation that the token holds the private key of the certificate, and that the key works now. A
     * key that may only sign proves it by a signature.
     */
    static boolean proves(OpenedKey opened) throws GeneralSecurityException {
        try {
            return opened.publicKey() instanceof RSAPublicKey rsa ? decrypts(opened, rsa) : agrees(opened);
        } catch (GeneralSecurityException | ProviderException e) {
            if (TokenFailure.of(e).kind() != TokenFailure.Kind.NOT_PERMITTED) {
                throw e;
            }
            return signs(opened);
        }
    }

    private static boolean decrypts(OpenedKey opened, RSAPublicKey key) throws GeneralSecurityException {
        byte[] block = new byte[modulusLength(key)];
        new SecureRandom().nextBytes(block);
        block[0] = 0; // smaller than the modulus
        BigInteger encrypted = new BigInteger(1, block).modPow(key.getPublicExponent(), key.getModulus());
        return Arrays.equals(decrypt(opened, BigIntegers.asUnsignedByteArray(block.length, encrypted)), block);
    }

    private static boolean agrees(OpenedKey opened) throws GeneralSecurityException {
        if (!(opened.publicKey() instanceof ECPublicKey key)) {
            return false;
        }
        KeyPairGenerator generator = SOFTWARE.ecKeyPairs();
        generator.initialize(key.getParams());
        KeyPair other = generator.generateKeyPair();
        KeyAgreement agreement = SOFTWARE.ecdh();
        agreement.init(other.getPrivate());
        agreement.doPhase(key, true);
        byte[] expected = agreement.generateSecret();
        byte[] found = agree(opened, (ECPublicKey) other.getPublic());
        boolean same = Arrays.equals(found, expected);
        Arrays.fill(expected, (byte) 0);
        Arrays.fill(found, (byte) 0);
        return same;
    }

    private static boolean signs(OpenedKey opened) throws GeneralSecurityException {
        SignatureScheme scheme = SignatureScheme.of(opened.publicKey()).orElseThrow();
        byte[] signed = sign(opened, scheme, PROOF_DIGEST, PROOF);
        Signature verifying = SOFTWARE.verifying(scheme, PROOF_DIGEST, opened.publicKey());
        verifying.update(PROOF);
        return verifying.verify(signed);
    }
}
