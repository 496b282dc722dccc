/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/** The one class that knows providers. */
public final class CryptoProviders {
    private CryptoProviders() {}

    static byte[] sha1OfPublicKey(byte[] keyBits) {
        throw new UnsupportedOperationException();
    }
}
