/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;

/**
 * Elliptic-curve Diffie-Hellman of one originator with each recipient on one curve: with an ephemeral key (RFC 5753),
 * or with the sender's certified key (RFC 6278). An ephemeral private key is not kept. Thread-safe.
 */
public final class EcAgreement implements AutoCloseable {
    private final PublicKey originator;
    private final List<KeyEncryptionKey> keys;
    private final List<KeyWrapCiphers> ciphers;
    private final KeyUsage users = new KeyUsage(this::wipe);

    private EcAgreement(PublicKey originator, List<KeyEncryptionKey> keys, List<KeyWrapCiphers> ciphers) {
        this.originator = originator;
        this.keys = keys;
        this.ciphers = ciphers;
    }

    /** Computes the secret with a recipient's key; null if the key is on another curve. */
    @FunctionalInterface
    private interface Secrets {
        byte @Nullable [] with(PublicKey recipient) throws GeneralSecurityException;
    }

    /**
     * Agrees with recipients by an ephemeral key and SHA-256.
     *
     * @param recipients keys on one curve, at least one
     * @param sharedInfo DER ECC-CMS-SharedInfo (RFC 5753 section 7.2)
     * @throws KeystoreUnusableException if a key is not on the curve of the first one
     */
    public static EcAgreement with(List<PublicKey> recipients, byte[] sharedInfo, CryptoProviders providers) {
        KeyPair ephemeral;
        try {
            KeyPairGenerator generator = providers.ecKeyPairs();
            generator.initialize(((ECPublicKey) recipients.get(0)).getParams());
            ephemeral = generator.generateKeyPair();
        } catch (GeneralSecurityException | RuntimeException unusable) {
            throw unusable(unusable);
        }
        return with(
                recipients,
                recipient -> providers.agree(ephemeral.getPrivate(), recipient),
                ephemeral.getPublic(),
                sharedInfo,
                providers);
    }

    /**
     * Agrees with recipients by the sender's own key and SHA-256.
     *
     * @param sender on the curve of the recipients
     * @param sharedInfo DER ECC-CMS-SharedInfo with user keying material of this agreement alone
     * @throws KeystoreUnusableException if a key is not on the sender's curve, or the sender's key cannot be used now
     */
    public static EcAgreement of(
            Identity sender, List<PublicKey> recipients, byte[] sharedInfo, CryptoProviders providers) {
        return with(
                recipients,
                recipient -> sender.privateKey().agree(CryptoProviders.ecPublicKey(recipient.getEncoded())),
                sender.certificate().getPublicKey(),
                sharedInfo,
                providers);
    }

    private static EcAgreement with(
            List<PublicKey> recipients,
            Secrets secrets,
            PublicKey originator,
            byte[] sharedInfo,
            CryptoProviders providers) {
        List<KeyEncryptionKey> keys = new ArrayList<>(recipients.size());
        List<KeyWrapCiphers> ciphers = new ArrayList<>(recipients.size());
        try {
            for (PublicKey recipient : recipients) {
                byte[] secret = secrets.with(recipient);
                if (secret == null) {
                    throw new InvalidKeyException("on another curve");
                }
                // A cipher that stays with its key prepares it once. Shared ciphers would prepare it for each data key.
                KeyWrapCiphers own = new KeyWrapCiphers(providers);
                ciphers.add(own);
                keys.add(KeyEncryptionKey.derive(secret, KeyDerivation.SHA_256, sharedInfo, own));
            }
            return new EcAgreement(originator, List.copyOf(keys), List.copyOf(ciphers));
        } catch (GeneralSecurityException | RuntimeException unusable) {
            keys.forEach(KeyEncryptionKey::close);
            throw unusable(unusable);
        }
    }

    private static KeystoreUnusableException unusable(Exception cause) {
        return cause instanceof KeystoreUnusableException told
                ? told
                : new KeystoreUnusableException("key agreement: a recipient's key does not serve", cause);
    }

    /**
     * Agrees as the recipient, with an originator's key from a message.
     *
     * @param own the recipient's private key
     * @param originator DER SubjectPublicKeyInfo of the key, not trusted
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

    /** Returns the public key of the originator: ephemeral, or the sender's. */
    public PublicKey originator() {
        return originator;
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
