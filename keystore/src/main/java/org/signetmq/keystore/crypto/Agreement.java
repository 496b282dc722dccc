/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.KDF2BytesGenerator;
import org.bouncycastle.crypto.params.KDFParameters;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyDerivation;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;

/**
 * Ephemeral-static elliptic-curve Diffie-Hellman (RFC 5753): one ephemeral key agrees a key-encryption key with each of
 * several recipients on one curve. The ephemeral private key is forgotten at once. Thread-safe.
 */
public final class Agreement implements AutoCloseable {
    private final PublicKey ephemeral;
    private final List<KeyEncryptionKey> keys;
    private final UseCount users = new UseCount(this::wipe);

    private Agreement(PublicKey ephemeral, List<KeyEncryptionKey> keys) {
        this.ephemeral = ephemeral;
        this.keys = keys;
    }

    /**
     * Agrees with recipients by SHA-256.
     *
     * @param recipients keys on one curve
     * @param sharedInfo DER ECC-CMS-SharedInfo (RFC 5753 section 7.2)
     * @throws KeystoreUnusableException if a key does not serve
     */
    public static Agreement with(List<PublicKey> recipients, byte[] sharedInfo) {
        CryptoProviders providers = CryptoProviders.standard();
        List<KeyEncryptionKey> keys = new ArrayList<>(recipients.size());
        try {
            KeyPairGenerator generator = providers.ecKeyPairs();
            generator.initialize(((ECPublicKey) recipients.get(0)).getParams());
            KeyPair ephemeral = generator.generateKeyPair();
            for (PublicKey recipient : recipients) {
                byte[] secret = providers.agree(ephemeral.getPrivate(), recipient);
                keys.add(KeyEncryptionKey.of(derive(secret, KeyDerivation.SHA_256, sharedInfo)));
            }
            return new Agreement(ephemeral.getPublic(), List.copyOf(keys));
        } catch (GeneralSecurityException | RuntimeException unusable) {
            keys.forEach(KeyEncryptionKey::close);
            throw new KeystoreUnusableException("key agreement: a recipient's key does not serve", unusable);
        }
    }

    /**
     * Agrees as the recipient.
     *
     * @param own the recipient's private key
     * @param originator SubjectPublicKeyInfo of the ephemeral key, from the message: not trusted
     * @param sharedInfo DER ECC-CMS-SharedInfo
     * @return the key for {@link KeyUnwrapping}, or null if the originator's key is no point of the recipient's curve
     * @throws KeystoreUnusableException if the private key cannot be used now
     */
    public static @Nullable DataKey answer(
            PrivateKeyOperations own, byte[] originator, KeyDerivation derivation, byte[] sharedInfo) {
        AsymmetricOperations.countPrivateKey();
        PublicKey other;
        try {
            other = CryptoProviders.standard().ecPublicKey(originator);
        } catch (GeneralSecurityException | IllegalArgumentException | IllegalStateException notOnTheCurve) {
            return null;
        }
        byte[] secret = own.agree(other);
        return secret == null ? null : derive(secret, derivation, sharedInfo);
    }

    /** The ephemeral public key. */
    public PublicKey ephemeral() {
        return ephemeral;
    }

    /** The agreed keys, in the order of the recipients. */
    public List<KeyEncryptionKey> keys() {
        return keys;
    }

    /** Derives a key as X9.63 does, which is KDF2 of ISO 18033-2. Wipes the secret. */
    static DataKey derive(byte[] secret, KeyDerivation derivation, byte[] sharedInfo) {
        byte[] material = new byte[DataKey.LENGTH];
        KDF2BytesGenerator generator = new KDF2BytesGenerator(digest(derivation));
        generator.init(new KDFParameters(secret, sharedInfo));
        generator.generateBytes(material, 0, material.length);
        Arrays.fill(secret, (byte) 0);
        return DataKey.takeOwnershipOf(material);
    }

    private static Digest digest(KeyDerivation derivation) {
        return switch (derivation) {
            case SHA_1 -> new SHA1Digest();
            case SHA_256 -> SHA256Digest.newInstance();
            case SHA_384 -> new SHA384Digest();
            case SHA_512 -> new SHA512Digest();
        };
    }

    /** Counts in a user, who must {@link #release()}. False if the agreement is over: make another. */
    public boolean acquire() {
        return users.acquire();
    }

    /** Counts a user out. */
    public void release() {
        users.release();
    }

    /** Ends the agreement; its keys are wiped once the last user is out. Harmless when repeated. */
    @Override
    public void close() {
        users.retire();
    }

    private void wipe() {
        keys.forEach(KeyEncryptionKey::close);
    }
}
