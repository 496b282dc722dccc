/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;

/**
 * Somebody for whom data keys are wrapped, or whose signatures are recognised; known by a certificate alone.
 *
 * @param name the name in the directory
 * @param certificate the certificate
 */
public record Recipient(String name, X509Certificate certificate) {
    /** The subject key identifier of the certificate. */
    public KeyIdentifier keyIdentifier() {
        return KeyIdentifier.of(certificate);
    }
}
