/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Measures the extra time that an AES-GCM cipher takes for the first messages under a key. Usually this is about a
 * microsecond. On one kind of machine it was fifty, and policies with small key reuse paid them often.
 */
final class NewKeyCost {
    private static final long MOST_NANOS = TimeUnit.MICROSECONDS.toNanos(15);
    private static final int ROUNDS = 8;
    private static final int MESSAGE_LENGTH = 64;

    private final CryptoProviders providers;
    private final Cipher cipher;
    private final byte[] message = new byte[MESSAGE_LENGTH + ContentCipher.TAG_LENGTH];

    private NewKeyCost(CryptoProviders providers, Cipher cipher) {
        this.providers = providers;
        this.cipher = cipher;
    }

    /** Tells whether the extra time is small. It measures several times, for a few milliseconds in all. */
    static boolean isSmall(CryptoProviders providers, Cipher cipher) {
        try {
            return new NewKeyCost(providers, cipher).nanos() <= MOST_NANOS;
        } catch (GeneralSecurityException unusable) {
            return false;
        }
    }

    private long nanos() throws GeneralSecurityException {
        long first = Long.MAX_VALUE;
        long next = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            try (DataKey key = DataKey.generate(providers)) {
                first = Math.min(first, nanosOfTwoMessages(key.secret()));
                next = Math.min(next, nanosOfTwoMessages(key.secret()));
            }
        }
        return first - next;
    }

    /** Encrypts two messages, because only the second use makes a provider keep its values of a key. */
    private long nanosOfTwoMessages(SecretKey key) throws GeneralSecurityException {
        long begun = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            byte[] nonce = new byte[KeyLease.NONCE_LENGTH];
            providers.random().nextBytes(nonce);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(ContentCipher.TAG_LENGTH * Byte.SIZE, nonce));
            cipher.doFinal(message, 0, MESSAGE_LENGTH, message, 0);
        }
        return System.nanoTime() - begun;
    }
}
