/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/** The purpose of a certificate. */
public enum CertificateUse {
    /**
     * The key verifies signatures of messages. A key usage extension, if there is one, must allow digitalSignature or
     * nonRepudiation.
     */
    SIGNING,
    /**
     * The key wraps data keys. A key usage extension, if there is one, must allow keyEncipherment (RSA, ML-KEM) or
     * keyAgreement (EC).
     */
    RECEIVING
}
