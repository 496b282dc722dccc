/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;

/**
 * A party that receives data keys or signs messages. Signet has only its certificate.
 *
 * @param name the name in the directory
 * @param certificate the certificate
 */
public record Recipient(String name, X509Certificate certificate) {
    /** Returns the key identifier that the certificate claims. Envelopes use it. */
    public KeyIdentifier keyIdentifier() {
        return KeyIdentifier.of(certificate);
    }
}
