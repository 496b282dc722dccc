/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/** The signature algorithm of a policy. The digest is SHA-512. The key decides between RSA, ECDSA and Ed25519. */
public enum SignatureAlgorithm {
    /** SHA-512 with the signer's key: RSA PKCS#1 v1.5, ECDSA or Ed25519. */
    SHA_512("SHA-512"),
    /** Like {@link #SHA_512}, but RSA keys sign with RSASSA-PSS (RFC 8017 section 8.1). */
    SHA_512_RSA_PSS("SHA-512-RSA-PSS");

    private final String label;

    SignatureAlgorithm(String label) {
        this.label = label;
    }

    /** Returns the name in policy files and on the command line. */
    public String label() {
        return label;
    }
}
