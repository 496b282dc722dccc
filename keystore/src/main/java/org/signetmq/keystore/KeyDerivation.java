/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/** The hash of the X9.63 key derivation in elliptic-curve key agreement (RFC 5753 section 7.1.4). */
public enum KeyDerivation {
    /** Signet only reads it, because OpenSSL writes it by default. It does not need collision resistance. */
    SHA_1,
    /** The derivation that Signet writes. */
    SHA_256,
    SHA_384,
    SHA_512
}
