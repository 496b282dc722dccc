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
import org.signetmq.keystore.internal.crypto.PssSignature;

/** The operations that a token computes with a private key. Paddings that tokens may lack are made outside. */
final class TokenOperations {
    private TokenOperations() {}

    static byte[] sign(OpenedKey opened, SignatureScheme scheme, String digest, byte[] bytes)
            throws GeneralSecurityException {
        if (scheme == SignatureScheme.RSA_PSS) {
            return PssSignature.sign(
                    block -> rawRsa(opened, Cipher.ENCRYPT_MODE, block), rsa(opened), digest, bytes);
        }
        Signature signature = Signature.getInstance(scheme.primitive(digest), opened.provider());
        signature.initSign(opened.key());
        signature.update(bytes);
        return signature.sign();
    }

    /**
     * Decrypts without a padding.
     *
     * @param block as long as the modulus, and smaller than it
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

    /** Whether a block is a number that RSA takes. It may come from a message. */
    static boolean isSmallerThanModulus(byte[] block, RSAPublicKey key) {
        return block.length == modulusLength(key) && new BigInteger(1, block).compareTo(key.getModulus()) < 0;
    }

    /** Returns the x-coordinate of the shared point. */
    static byte[] agree(OpenedKey opened, ECPublicKey other) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", opened.provider());
        agreement.init(opened.key());
        agreement.doPhase(other, true);
        int fieldBits = other.getParams().getCurve().getField().getFieldSize();
        return atLength(agreement.generateSecret(), (fieldBits + 7) / 8);
    }

    /** Returns a number with as many leading zeros as its length needs. Some tokens leave them out. */
    private static byte[] atLength(byte[] number, int length) throws InvalidKeyException {
        if (number.length == length) {
            return number;
        }
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
