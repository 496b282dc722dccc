/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.PublicKey;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one private key in this process, in a token or in a key service.
 *
 * <p>Implementations are thread-safe. They bound the time of each call. A call that fails for another reason than its
 * arguments throws {@link KeystoreUnusableException}; for example, the token is gone or the service does not answer.
 * Its text names the key, the place and the remedy. The message is then rejected, and a later call may succeed. No
 * method changes or keeps its arguments. The caller owns each result.
 */
public interface PrivateKeyOperations {
    /**
     * Signs bytes.
     *
     * @param scheme a scheme of the key
     * @param digest SHA-256, SHA-384 or SHA-512; Ed25519 and ML-DSA have their own and ignore it
     * @param bytes the bytes to sign, not their digest
     * @return the signature, of an EC key as DER of two integers
     * @throws KeystoreUnusableException if the key cannot sign with this scheme, or cannot be used now
     */
    byte[] sign(SignatureScheme scheme, String digest, byte[] bytes);

    /**
     * Decrypts a key that a sender encrypted to the RSA key. {@code wrapped} comes from a message and is not trusted.
     * The time must not depend on why the padding is wrong.
     *
     * @param wrapped the encrypted key, of any length
     * @return the bytes of the key, of any length; the caller wipes them. Null if the bytes do not decrypt.
     * @throws KeystoreUnusableException if the key cannot be used now; never because of {@code wrapped}
     */
    byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped);

    /**
     * Agrees on a secret by elliptic-curve Diffie-Hellman (SEC 1, section 3.3.1).
     *
     * @param other the public key of the other party, a point of its curve
     * @return the x-coordinate of the shared point; the caller wipes it. Null if the two keys are of different curves.
     * @throws KeystoreUnusableException if the key cannot be used now; never because of {@code other}
     */
    byte @Nullable [] agree(PublicKey other);

    /**
     * Returns the secret that a sender encapsulated to the ML-KEM key (FIPS 203). {@code ciphertext} comes from a
     * message and is not trusted. A ciphertext for another key of this kind gives a random secret.
     *
     * @return the 32 bytes of the secret; the caller wipes them. Null if the ciphertext has not the length of the kind
     * @throws KeystoreUnusableException if the key is no ML-KEM key, or cannot be used now
     */
    default byte @Nullable [] decapsulate(byte[] ciphertext) {
        throw new KeystoreUnusableException("private key: it does not support ML-KEM");
    }

    /**
     * Checks that the key can be used now. A key outside this process may compute something for it. A program that
     * serves others calls it from time to time, to show the state of the key before a message needs it.
     *
     * @throws KeystoreUnusableException if the key cannot be used now
     */
    default void requireUsable() {}
}
