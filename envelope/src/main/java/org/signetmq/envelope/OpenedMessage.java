/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.QualityOfProtection;

/**
 * A message that was opened and found right.
 *
 * @param quality what protected it; {@link QualityOfProtection#NONE} for a message let through unprotected
 * @param entity what was inside; null for a message let through unprotected
 * @param payload the payload
 * @param signerCertificate who signed it, or null if it is not signed
 */
public record OpenedMessage(
        QualityOfProtection quality,
        @Nullable Entity entity,
        byte[] payload,
        @Nullable X509Certificate signerCertificate) {

    /** The entity, unless the message was let through unprotected. */
    public Optional<Entity> entityIfProtected() {
        return Optional.ofNullable(entity);
    }

    /** The signer's distinguished name (RFC 4514), if it is signed. */
    public Optional<String> signer() {
        return Optional.ofNullable(signerCertificate)
                .map(certificate -> certificate.getSubjectX500Principal().getName());
    }
}
