/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * The last PIN that each token refused in this process. A token locks after some wrong ones, so none is sent twice,
 * however often an application opens the token. It keeps salted digests. Thread-safe.
 */
final class RefusedPins {
    private static final byte[] SALT = new byte[32];
    private static final Map<String, byte[]> DIGESTS = new ConcurrentHashMap<>();

    static {
        new SecureRandom().nextBytes(SALT);
    }

    private RefusedPins() {}

    /** Returns whether the token refused this PIN last. */
    static boolean contains(String token, char[] pin) {
        byte[] refused = DIGESTS.get(token);
        return refused != null && MessageDigest.isEqual(refused, digest(pin));
    }

    /** Notes a PIN that the token has refused now. */
    static void add(String token, char[] pin) {
        DIGESTS.put(token, digest(pin));
    }

    /** Forgets the PIN, because the token has taken another one. */
    static void clear(String token) {
        DIGESTS.remove(token);
    }

    private static byte[] digest(char[] pin) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        digest.update(SALT);
        for (char character : pin) {
            digest.update((byte) (character >> 8));
            digest.update((byte) character);
        }
        return digest.digest();
    }
}
