/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/** The padding of a data key that is encrypted to an RSA key (RFC 8017). */
public enum KeyTransportPadding {
    /** RSAES-OAEP with SHA-256 and MGF1 with SHA-256. Signet writes it. */
    OAEP_SHA_256("RSA-OAEP-SHA-256"),
    /** RSAES-OAEP with SHA-1 and MGF1 with SHA-1. Signet only reads it, because other software takes it by default. */
    OAEP_SHA_1("RSA-OAEP-SHA-1"),
    /** RSAES-PKCS1-v1_5. Signet only reads it, because stock OpenSSL writes it by default. */
    PKCS1("RSA-PKCS1-v1.5");

    private final String label;

    KeyTransportPadding(String label) {
        this.label = label;
    }

    /** Returns the name in descriptions of envelopes. */
    public String label() {
        return label;
    }
}
