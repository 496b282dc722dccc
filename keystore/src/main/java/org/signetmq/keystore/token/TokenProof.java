/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.crypto.CryptoProviders;

/** Proves by one operation that a token holds the private key of a certificate, and that the key works now. */
final class TokenProof {
    private static final byte[] TEXT = "Signet proves a key".getBytes(US_ASCII);
    private static final String DIGEST = "SHA-256";
    private static final CryptoProviders SOFTWARE = CryptoProviders.jdk();

    private TokenProof() {}

    /** Returns whether the key is that of the certificate. A key that may only sign proves it by a signature. */
    static boolean holds(OpenedKey opened) throws GeneralSecurityException {
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
        byte[] block = new byte[TokenOperations.modulusLength(key)];
        new SecureRandom().nextBytes(block);
        block[0] = 0; // smaller than the modulus
        BigInteger encrypted = new BigInteger(1, block).modPow(key.getPublicExponent(), key.getModulus());
        byte[] unsigned = encrypted.toByteArray();
        byte[] sent = new byte[block.length];
        int length = Math.min(unsigned.length, sent.length);
        System.arraycopy(unsigned, unsigned.length - length, sent, sent.length - length, length);
        return Arrays.equals(TokenOperations.decrypt(opened, sent), block);
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
        byte[] found = TokenOperations.agree(opened, (ECPublicKey) other.getPublic());
        boolean same = Arrays.equals(found, expected);
        Arrays.fill(expected, (byte) 0);
        Arrays.fill(found, (byte) 0);
        return same;
    }

    private static boolean signs(OpenedKey opened) throws GeneralSecurityException {
        SignatureScheme scheme = SignatureScheme.of(opened.publicKey()).orElseThrow();
        byte[] signed = TokenOperations.sign(opened, scheme, DIGEST, TEXT);
        Signature verifying = SOFTWARE.verifying(scheme, DIGEST, opened.publicKey());
        verifying.update(TEXT);
        return verifying.verify(signed);
    }
}
