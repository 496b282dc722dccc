/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;
import org.bouncycastle.crypto.AsymmetricBlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.PSSSigner;

/** Signs by RSASSA-PSS with MGF1 (RFC 8017 section 8.1.1). The salt is as long as the digest. */
public final class PssSignature {
    private PssSignature() {}

    /**
     * Returns the signature of bytes, as long as the modulus.
     *
     * @param key the public key of the pair, which gives the size
     * @param digest SHA-256, SHA-384 or SHA-512
     */
    public static byte[] sign(RawRsa raw, RSAPublicKey key, String digest, byte[] bytes)
            throws GeneralSecurityException {
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
