/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.function.LongConsumer;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The work on the bytes that were read. */
@FunctionalInterface
interface Work {
    /** The work that is compared: the published one, and the one that hides contents. */
    enum Kind {
        SHA_256,
        AES_256_GCM;

        /** Returns such work on blocks of this length. */
        Work on(int block) {
            return this == SHA_256 ? CryptoProviders.digest("SHA-256")::update : sealing(block);
        }

        /** Returns the name in results. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** No work: what remains is the time to read. */
    Work NONE = (bytes, offset, length) -> {};

    void on(byte[] bytes, int offset, int length);

    /** Returns this work within a limit on its rate. */
    default Work within(LongConsumer limit) {
        return (bytes, offset, length) -> {
            on(bytes, offset, length);
            limit.accept(length);
        };
    }

    /** Returns work that encrypts each block as a content of its own, by the cipher that the product would choose. */
    private static Work sealing(int block) {
        CryptoProviders providers = CryptoProviders.standard();
        Cipher cipher = block < ContentCipher.BULK_LENGTH ? providers.aesGcm() : providers.aesGcmInBulk();
        byte[] secret = new byte[32];
        providers.random().nextBytes(secret);
        SecretKeySpec key = new SecretKeySpec(secret, "AES");
        ByteBuffer nonce = ByteBuffer.allocate(12);
        byte[] sealed = new byte[block + ContentCipher.TAG_LENGTH];
        return (bytes, offset, length) -> {
            nonce.putLong(4, nonce.getLong(4) + 1);
            try {
                int tagBits = ContentCipher.TAG_LENGTH * Byte.SIZE;
                cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(tagBits, nonce.array()));
                cipher.doFinal(bytes, offset, length, sealed, 0);
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException("encryption: rejected by its provider", impossible);
            }
        };
    }
}
