/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;

/** The encoded public key of a certificate, for comparing keys. Immutable. */
public final class PublicKeyInfo {
    private final byte[] encoded;
    private final int hash;

    private PublicKeyInfo(byte[] encoded) {
        this.encoded = encoded;
        this.hash = Arrays.hashCode(encoded);
    }

    /** The key of a certificate. */
    public static PublicKeyInfo of(X509Certificate certificate) {
        return new PublicKeyInfo(KeyRules.publicKeyInfo(certificate));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PublicKeyInfo that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "PublicKeyInfo[" + HexFormat.of().formatHex(encoded) + "]";
    }
}
