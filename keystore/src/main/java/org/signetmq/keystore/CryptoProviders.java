/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The one class that knows providers. */
public final class CryptoProviders {
    private CryptoProviders() {}

    /** RFC 5280 section 4.2.1.2 names keys by SHA-1; no security rests on it. */
    static byte[] sha1OfPublicKey(byte[] keyBits) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(keyBits);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("sha-1: every JDK has it", e);
        }
    }
}
