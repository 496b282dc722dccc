/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/** The content-encryption algorithm of a policy. */
public enum EncryptionAlgorithm {
    /** AES-256 in Galois/Counter Mode (RFC 5084). */
    AES_256("AES-256");

    private final String label;

    EncryptionAlgorithm(String label) {
        this.label = label;
    }

    /** Returns the name in policy files and on the command line. */
    public String label() {
        return label;
    }
}
