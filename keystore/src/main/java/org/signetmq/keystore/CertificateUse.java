/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/** The purpose of a certificate. */
public enum CertificateUse {
    /** To verify signatures on messages: key usage digitalSignature or nonRepudiation, if key usage is present. */
    SIGNING,
    /** To wrap data keys: keyEncipherment for RSA, keyAgreement for EC, if key usage is present. */
    RECEIVING
}
