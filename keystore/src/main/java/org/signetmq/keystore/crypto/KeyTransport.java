/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;

/** Data keys under RSA keys (RFC 8017). Thread-safe. */
public final class KeyTransport {
    private static final OAEPParameterSpec OAEP_SHA_256 =
            new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

    private KeyTransport() {}

    /**
     * RSAES-OAEP with SHA-256, as Signet writes it.
     *
     * @throws KeystoreUnusableException if the key does not serve
     */
    public static byte[] wrap(PublicKey recipient, DataKey key) {
        try {
            Cipher cipher = CryptoProviders.standard().rsaOaep();
            cipher.init(
                    Cipher.WRAP_MODE,
                    recipient,
                    OAEP_SHA_256,
                    CryptoProviders.standard().random());
            return cipher.wrap(key.secret());
        } catch (GeneralSecurityException unusable) {
            throw new KeystoreUnusableException("key transport: a recipient's key does not serve", unusable);
        }
    }

    /** The key wrapped by {@link #wrap}, or null if it was not wrapped for this key. */
    public static @Nullable DataKey unwrap(PrivateKey own, byte[] wrapped) {
        AsymmetricOperations.countPrivateKey();
        try {
            Cipher cipher = CryptoProviders.standard().rsaOaep();
            cipher.init(Cipher.DECRYPT_MODE, own, OAEP_SHA_256);
            byte[] material = cipher.doFinal(wrapped);
            if (material.length != DataKey.LENGTH) {
                Arrays.fill(material, (byte) 0);
                return null;
            }
            return DataKey.takeOwnershipOf(material);
        } catch (GeneralSecurityException | RuntimeException wrong) {
            return null;
        }
    }

    /**
     * RSAES-PKCS1-v1_5, read because stock OpenSSL writes it unless told otherwise, never written. Always gives a key:
     * bad padding gives a random one, whose decryption fails as any changed message's does, so that nobody learns from
     * the answer whether the padding was right (RFC 3218 section 2.3.2).
     */
    public static DataKey unwrapPkcs1(PrivateKey own, byte[] wrapped) {
        AsymmetricOperations.countPrivateKey();
        byte[] material = new byte[DataKey.LENGTH];
        CryptoProviders.standard().random().nextBytes(material);
        try {
            Cipher cipher = CryptoProviders.standard().rsaPkcs1();
            cipher.init(Cipher.DECRYPT_MODE, own);
            byte[] found = cipher.doFinal(wrapped);
            if (found.length == DataKey.LENGTH) {
                material = found;
            } else {
                Arrays.fill(found, (byte) 0);
            }
        } catch (GeneralSecurityException | RuntimeException badPadding) {
            return DataKey.takeOwnershipOf(material);
        }
        return DataKey.takeOwnershipOf(material);
    }
}
