/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.io.IOException;
import java.security.PrivateKey;
import java.security.PublicKey;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;

/**
 * A random secret for the owner of an ML-KEM key (FIPS 203). Bouncy Castle computes it, because Java 17 has no API for
 * encapsulation.
 *
 * @param ciphertext the secret in the form that only the owner of the key can read
 * @param secret 32 bytes, which the caller wipes
 */
public record KeyEncapsulation(byte[] ciphertext, byte[] secret) {
    /**
     * Makes a secret for a recipient.
     *
     * @throws KeystoreUnusableException if the key is no well-formed ML-KEM key
     */
    public static KeyEncapsulation to(PublicKey recipient, CryptoProviders providers) {
        try {
            MLKEMPublicKeyParameters key =
                    (MLKEMPublicKeyParameters) PublicKeyFactory.createKey(recipient.getEncoded());
            SecretWithEncapsulation made = new MLKEMGenerator(providers.random()).generateEncapsulated(key);
            return new KeyEncapsulation(made.getEncapsulation(), made.getSecret());
        } catch (IOException | RuntimeException unusable) { // the parser throws undocumented exceptions
            throw new KeystoreUnusableException("key encapsulation: a recipient's key does not serve", unusable);
        }
    }

    /**
     * Returns the secret of a ciphertext from a message.
     *
     * @param own the recipient's private key
     * @param ciphertext not trusted
     * @return 32 bytes that the caller wipes, random ones if the ciphertext is for another key; null if its length is
     *     wrong
     * @throws KeystoreUnusableException if the private key cannot be used now, or is no ML-KEM key
     */
    public static byte @Nullable [] answer(PrivateKeyOperations own, byte[] ciphertext) {
        AsymmetricOperations.countPrivateKey();
        return own.decapsulate(ciphertext);
    }

    static byte @Nullable [] decapsulate(PrivateKey own, byte[] ciphertext) {
        MLKEMExtractor extractor;
        try {
            extractor = new MLKEMExtractor((MLKEMPrivateKeyParameters) PrivateKeyFactory.createKey(own.getEncoded()));
        } catch (IOException | RuntimeException notMlKem) {
            throw new KeystoreUnusableException(
                    "private key: its kind is " + own.getAlgorithm() + ", so it cannot decapsulate", notMlKem);
        }
        return ciphertext.length == extractor.getEncapsulationLength() ? extractor.extractSecret(ciphertext) : null;
    }

    /** Returns nothing of the secret. */
    @Override
    public String toString() {
        return "KeyEncapsulation[" + ciphertext.length + " bytes]";
    }
}
