/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/**
 * The treatment of messages whose data key is protected by old algorithms. These are RSA key transport with PKCS#1 v1.5
 * padding or OAEP with SHA-1, and key derivation with SHA-1.
 */
public enum LegacyAlgorithms {
    /** Such messages are rejected before a private key is used. */
    REFUSED,
    /** Such messages open like others. Signet never writes them. */
    ACCEPTED
}
