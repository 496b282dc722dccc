/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;

/**
 * A party that receives data keys or signs messages, known by a certificate alone.
 *
 * @param name the name in the directory
 * @param certificate the certificate
 */
public record Recipient(String name, X509Certificate certificate) {
    /** The key identifier that the certificate claims, and that envelopes use. */
    public KeyIdentifier keyIdentifier() {
        return KeyIdentifier.of(certificate);
    }
}
