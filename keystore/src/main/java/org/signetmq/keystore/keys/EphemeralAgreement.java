/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;

/**
 * Ephemeral-static elliptic-curve Diffie-Hellman (RFC 5753). One ephemeral key agrees on a key-encryption key with each
 * recipient on one curve. The ephemeral private key is not kept. Thread-safe.
 */
public final class EphemeralAgreement implements AutoCloseable {
    private final PublicKey ephemeral;
    private final List<KeyEncryptionKey> keys;
    private final List<KeyWrapCiphers> ciphers;
    private final KeyUsage users = new KeyUsage(this::wipe);

    private EphemeralAgreement(PublicKey ephemeral, List<KeyEncryptionKey> keys, List<KeyWrapCiphers> ciphers) {
        this.ephemeral = ephemeral;
        this.keys = keys;
        this.ciphers = ciphers;
    }

    /**
     * Agrees with recipients by SHA-256.
     *
     * @param recipients keys on one curve, at least one
     * @param sharedInfo DER ECC-CMS-SharedInfo (RFC 5753 section 7.2)
     * @throws KeystoreUnusableException if a key is not on the curve of the first one
     */
    public static EphemeralAgreement with(List<PublicKey> recipients, byte[] sharedInfo, CryptoProviders providers) {
        List<KeyEncryptionKey> keys = new ArrayList<>(recipients.size());
        List<KeyWrapCiphers> ciphers = new ArrayList<>(recipients.size());
        try {
            KeyPairGenerator generator = providers.ecKeyPairs();
            generator.initialize(((ECPublicKey) recipients.get(0)).getParams());
            KeyPair ephemeral = generator.generateKeyPair();
            for (PublicKey recipient : recipients) {
                byte[] secret = providers.agree(ephemeral.getPrivate(), recipient);
                // A cipher that stays with its key prepares it once. Shared ciphers would prepare it for each data key.
                KeyWrapCiphers own = new KeyWrapCiphers(providers);
                ciphers.add(own);
                keys.add(KeyEncryptionKey.derive(secret, KeyDerivation.SHA_256, sharedInfo, own));
            }
            return new EphemeralAgreement(ephemeral.getPublic(), List.copyOf(keys), List.copyOf(ciphers));
        } catch (GeneralSecurityException | RuntimeException unusable) {
            keys.forEach(KeyEncryptionKey::close);
            throw new KeystoreUnusableException("key agreement: a recipient's key does not serve", unusable);
        }
    }

    /**
     * Agrees as the recipient, with an ephemeral key from a message.
     *
     * @param own the recipient's private key
     * @param originator DER SubjectPublicKeyInfo of the ephemeral key, not trusted
     * @return the secret for {@link KeyEncryptionKey#derive}, or null if the originator's key is no point of the
     *     recipient's curve; the caller owns it
     * @throws KeystoreUnusableException if the private key cannot be used now
     */
    public static byte @Nullable [] answer(PrivateKeyOperations own, byte[] originator) {
        AsymmetricOperations.countPrivateKey();
        PublicKey other;
        try {
            other = CryptoProviders.ecPublicKey(originator);
        } catch (GeneralSecurityException | IllegalArgumentException | IllegalStateException notOnTheCurve) {
            return null;
        }
        return own.agree(other);
    }

    /** Returns the ephemeral public key. */
    public PublicKey ephemeral() {
        return ephemeral;
    }

    /** Returns the agreed keys, in the order of the recipients. */
    public List<KeyEncryptionKey> keys() {
        return keys;
    }

    /** Counts a new user, which must {@link #release()}. Returns false after the agreement ended. */
    public boolean acquire() {
        return users.acquire();
    }

    /** Ends the use of one user. */
    public void release() {
        users.release();
    }

    /** Ends the agreement, and wipes its keys after the last user released it. A second call has no effect. */
    @Override
    public void close() {
        users.retire();
    }

    private void wipe() {
        keys.forEach(KeyEncryptionKey::close);
        ciphers.forEach(KeyWrapCiphers::close);
    }
}
