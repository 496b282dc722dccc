/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/** The way in which a signed message identifies the signer's certificate. */
public enum CertificateInclusion implements Labelled {
    /** The message carries the certificate, so a reader needs only its root. */
    INCLUDED,
    /** The message names the key identifier only, and readers need the certificate. It saves 400 to 850 bytes. */
    REFERENCED
}
