/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import org.bouncycastle.crypto.AsymmetricBlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.PSSSigner;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;

/**
 * The paddings of RSA for a token that computes only raw RSA.
 *
 * <p>The time to remove a padding depends only on the length of the block until the padding has proved right. All wrong
 * paddings give one result. Otherwise a sender could learn the message step by step (Manger, CRYPTO 2001).
 */
final class RsaPadding {
    private static final int FIRST_OF_PADDING = 2;
    private static final int LEAST_PADDING = 8;

    private RsaPadding() {}

    /** The private-key operation of RSA without padding (RFC 8017 sections 5.1.2 and 5.2.1). */
    @FunctionalInterface
    interface RawRsa {
        /**
         * Raises a number to the private exponent.
         *
         * @param block the number, big-endian, as long as the modulus and smaller than it
         * @return the result, as long as the modulus
         */
        byte[] apply(byte[] block) throws GeneralSecurityException;
    }

    /**
     * Returns the padded message; the caller wipes it. Null if the padding is wrong.
     *
     * @param block the result of the raw decryption, as long as the modulus; this method does not change it
     */
    static byte @Nullable [] remove(KeyTransportPadding padding, byte[] block) {
        return switch (padding) {
            case OAEP_SHA_256 -> removeOaep(SHA256Digest.newInstance(), block);
            case OAEP_SHA_1 -> removeOaep(new SHA1Digest(), block);
            case PKCS1 -> removePkcs1(block);
        };
    }

    /** Removes RSAES-OAEP with one digest, also for MGF1, and an empty label (RFC 8017 section 7.1.2). */
    private static byte @Nullable [] removeOaep(Digest digest, byte[] block) {
        byte[] labelHash = new byte[digest.getDigestSize()];
        digest.doFinal(labelHash, 0);
        int hashLength = labelHash.length;
        if (block.length < 2 * hashLength + 2) {
            return null; // a property of the key, which is public
        }
        byte[] seed = Arrays.copyOfRange(block, 1, 1 + hashLength);
        byte[] data = Arrays.copyOfRange(block, 1 + hashLength, block.length);
        applyMask(seed, data, digest);
        applyMask(data, seed, digest);
        int wrong = block[0];
        for (int i = 0; i < hashLength; i++) {
            wrong |= data[i] ^ labelHash[i];
        }
        int searching = -1; // all bits are set until the separator
        int separator = 0;
        for (int i = hashLength; i < data.length; i++) {
            int isZero = ifZero(data[i] & 0xff);
            int isOne = ifZero((data[i] & 0xff) ^ 1);
            separator |= searching & isOne & i;
            wrong |= searching & ~isZero & ~isOne;
            searching &= ~isOne;
        }
        wrong |= searching;
        byte[] message = wrong == 0 ? Arrays.copyOfRange(data, separator + 1, data.length) : null;
        Arrays.fill(seed, (byte) 0);
        Arrays.fill(data, (byte) 0);
        return message;
    }

    /** Combines the target with MGF1 of the seed (RFC 8017 section B.2.1). */
    private static void applyMask(byte[] target, byte[] seed, Digest digest) {
        int hashLength = digest.getDigestSize();
        byte[] mask = new byte[hashLength];
        for (int offset = 0; offset < target.length; offset += hashLength) {
            int counter = offset / hashLength;
            digest.update(seed, 0, seed.length);
            digest.update((byte) (counter >>> 24));
            digest.update((byte) (counter >>> 16));
            digest.update((byte) (counter >>> 8));
            digest.update((byte) counter);
            digest.doFinal(mask, 0);
            for (int i = 0; i < hashLength && offset + i < target.length; i++) {
                target[offset + i] ^= mask[i];
            }
        }
        Arrays.fill(mask, (byte) 0);
    }

    /** Removes RSAES-PKCS1-v1_5 (RFC 8017 section 7.2.2). */
    private static byte @Nullable [] removePkcs1(byte[] block) {
        if (block.length < FIRST_OF_PADDING + LEAST_PADDING + 1) {
            return null; // a property of the key, which is public
        }
        int wrong = block[0] | (block[1] ^ 2);
        int searching = -1; // all bits are set until the separator
        int separator = 0;
        for (int i = FIRST_OF_PADDING; i < block.length; i++) {
            int isZero = ifZero(block[i] & 0xff);
            separator |= searching & isZero & i;
            searching &= ~isZero;
        }
        wrong |= searching | ((separator - FIRST_OF_PADDING - LEAST_PADDING) >> 31);
        return wrong == 0 ? Arrays.copyOfRange(block, separator + 1, block.length) : null;
    }

    /** Returns -1 for zero, and 0 for any other number from 0 to 2^31-1, without a branch. */
    private static int ifZero(int value) {
        return (value - 1) >> 31;
    }

    /**
     * Returns the signature of bytes by RSASSA-PSS with MGF1 (RFC 8017 section 8.1.1), as long as the modulus. The salt
     * is as long as the digest.
     *
     * @param key the public key of the pair, which gives the size
     * @param digest SHA-256, SHA-384 or SHA-512
     */
    static byte[] signPss(RawRsa raw, RSAPublicKey key, String digest, byte[] bytes) throws GeneralSecurityException {
        Digest hash = digest(digest);
        PSSSigner signer = new PSSSigner(new Padded(raw, key.getModulus()), hash, hash.getDigestSize());
        // the cipher ignores the exponent, which only the owner of the key has
        RSAKeyParameters size = new RSAKeyParameters(true, key.getModulus(), key.getPublicExponent(), true);
        signer.init(true, new ParametersWithRandom(size, new SecureRandom()));
        signer.update(bytes, 0, bytes.length);
        try {
            return signer.generateSignature();
        } catch (CryptoException e) {
            if (e.getCause() instanceof GeneralSecurityException failed) {
                throw failed;
            }
            throw new SignatureException("RSASSA-PSS: cannot sign", e);
        }
    }

    private static Digest digest(String name) throws SignatureException {
        return switch (name) {
            case "SHA-256" -> SHA256Digest.newInstance();
            case "SHA-384" -> new SHA384Digest();
            case "SHA-512" -> new SHA512Digest();
            default -> throw new SignatureException("RSASSA-PSS: no digest " + name);
        };
    }

    /** Raw RSA in the form that the signer takes. */
    private record Padded(RawRsa raw, BigInteger modulus) implements AsymmetricBlockCipher {
        @Override
        public void init(boolean forEncryption, CipherParameters parameters) {}

        @Override
        public int getInputBlockSize() {
            return getOutputBlockSize();
        }

        @Override
        public int getOutputBlockSize() {
            return (modulus.bitLength() + 7) / 8;
        }

        @Override
        public byte[] processBlock(byte[] bytes, int offset, int length) throws InvalidCipherTextException {
            byte[] block = new byte[getOutputBlockSize()];
            System.arraycopy(bytes, offset, block, block.length - length, length);
            try {
                return raw.apply(block);
            } catch (GeneralSecurityException e) {
                throw new InvalidCipherTextException("raw RSA: failed", e);
            }
        }
    }
}
