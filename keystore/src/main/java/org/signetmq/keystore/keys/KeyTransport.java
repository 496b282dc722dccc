/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;

/** Wraps and unwraps data keys with RSA keys (RFC 8017). Thread-safe. */
public record KeyTransport(CryptoProviders providers) {
    static final OAEPParameterSpec OAEP_SHA_256 =
            new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

    /** SHA-1 for both is right in OAEP, which needs no collision resistance; no longer written all the same. */
    static final OAEPParameterSpec OAEP_SHA_1 = OAEPParameterSpec.DEFAULT;

    /**
     * Returns a recipient's key in the form of the provider. With another form the provider converts it for each data
     * key.
     *
     * @param recipient an RSA key
     * @throws KeystoreUnusableException if the provider does not accept the key
     */
    public PublicKey converted(PublicKey recipient) {
        try {
            return providers.convertedForOaep(recipient);
        } catch (GeneralSecurityException unusable) {
            throw unusable(unusable);
        }
    }

    private static KeystoreUnusableException unusable(GeneralSecurityException cause) {
        return new KeystoreUnusableException("key transport: a recipient's key does not serve", cause);
    }

    /**
     * Wraps a data key with RSAES-OAEP and SHA-256.
     *
     * @param recipient an RSA key; {@link #converted} returns it in the fastest form
     * @throws KeystoreUnusableException if the RSA key cannot wrap it
     */
    public byte[] wrap(PublicKey recipient, DataKey key) {
        try {
            Cipher cipher = providers.rsaOaep();
            cipher.init(Cipher.WRAP_MODE, recipient, OAEP_SHA_256, providers.random());
            return cipher.wrap(key.secret());
        } catch (GeneralSecurityException unusable) {
            throw unusable(unusable);
        }
    }

    /**
     * Unwraps a data key with a private key. With {@link KeyTransportPadding#PKCS1} a wrong padding returns a random
     * key, and the decryption then fails like that of a changed message. So a sender cannot learn whether the padding
     * was right (RFC 3218 section 2.3.2).
     *
     * @return the data key, or null if another key wrapped it
     * @throws KeystoreUnusableException if the private key cannot be used now
     */
    public @Nullable DataKey unwrap(PrivateKeyOperations own, KeyTransportPadding padding, byte[] wrapped) {
        AsymmetricOperations.countPrivateKey();
        byte[] random = new byte[DataKey.LENGTH];
        if (padding == KeyTransportPadding.PKCS1) {
            providers
                    .random()
                    .nextBytes(random); // drawn before the operation, so that the time is the same in both cases
        }
        byte[] material = own.unwrap(padding, wrapped);
        if (material != null && material.length == DataKey.LENGTH) {
            return DataKey.takeOwnershipOf(material);
        }
        if (material != null) {
            Arrays.fill(material, (byte) 0);
        }
        return padding == KeyTransportPadding.PKCS1 ? DataKey.takeOwnershipOf(random) : null;
    }
}
