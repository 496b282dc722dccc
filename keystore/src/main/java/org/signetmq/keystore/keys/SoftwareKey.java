/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.VerifyingKey.PreparedSignatures;

/** A private key in the memory of this process. Thread-safe. */
public final class SoftwareKey implements PrivateKeyOperations {
    private final PrivateKey key;
    private final CryptoProviders providers;
    private final PreparedSignatures prepared;
    private volatile @Nullable PrivateKey converted; // two threads may both convert it: the keys are equal

    /**
     * Creates the operations of a key.
     *
     * @param key a key with an encoded form
     */
    public SoftwareKey(PrivateKey key, CryptoProviders providers) {
        this.key = key;
        this.providers = providers;
        this.prepared = new PreparedSignatures((scheme, digest) -> providers.signing(scheme, digest, key));
    }

    /**
     * Returns the key of an identity, to write it to a file.
     *
     * @throws KeystoreUnusableException if the key is not in this process
     */
    public static PrivateKey exported(Identity identity) {
        if (identity.privateKey() instanceof SoftwareKey software) {
            return software.key;
        }
        throw new KeystoreUnusableException("identity '" + identity.name() + "': its key cannot be exported");
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        try {
            return prepared.use(scheme, digest, signature -> {
                signature.update(bytes);
                return signature.sign();
            });
        } catch (GeneralSecurityException unusable) {
            throw new KeystoreUnusableException(
                    "private key: its kind is " + key.getAlgorithm() + ", so it cannot sign with " + scheme, unusable);
        }
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        try {
            Cipher cipher = padding == KeyTransportPadding.PKCS1 ? providers.rsaPkcs1() : providers.rsaOaep();
            switch (padding) {
                case OAEP_SHA_256 -> cipher.init(Cipher.DECRYPT_MODE, converted(), KeyTransport.OAEP_SHA_256);
                case OAEP_SHA_1 -> cipher.init(Cipher.DECRYPT_MODE, converted(), KeyTransport.OAEP_SHA_1);
                case PKCS1 -> cipher.init(Cipher.DECRYPT_MODE, key);
            }
            return cipher.doFinal(wrapped);
        } catch (GeneralSecurityException | RuntimeException wrong) {
            return null;
        }
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        try {
            return providers.agree(converted(), other);
        } catch (GeneralSecurityException | IllegalArgumentException | IllegalStateException otherCurve) {
            return null;
        }
    }

    @Override
    public byte @Nullable [] decapsulate(byte[] ciphertext) {
        return KeyEncapsulation.decapsulate(key, ciphertext);
    }

    /** Returns the key in the form of the provider that works with it. */
    private PrivateKey converted() throws GeneralSecurityException {
        PrivateKey known = converted;
        if (known == null) {
            known = providers.converted(key);
            converted = known;
        }
        return known;
    }

    /** Returns the kind of the key, without its value. */
    @Override
    public String toString() {
        return "SoftwareKey[" + key.getAlgorithm() + "]";
    }
}
