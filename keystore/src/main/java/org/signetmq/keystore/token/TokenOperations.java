/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import org.signetmq.keystore.SignatureScheme;

/** The operations that a token computes with a private key. Paddings that tokens may lack are made outside. */
final class TokenOperations {
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
}
