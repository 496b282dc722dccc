/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

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
 * @param verifiedSigner the signer, or null if it is not signed
 * @param provedSender the user that a broker authenticated, or null; see {@link #sender}
 */
public record OpenedMessage(
        QualityOfProtection quality,
        @Nullable Entity entity,
        byte[] payload,
        @Nullable VerifiedSigner verifiedSigner,
        @Nullable String provedSender) {

    /** A message without a proved sender. */
    public OpenedMessage(
            QualityOfProtection quality,
            @Nullable Entity entity,
            byte[] payload,
            @Nullable VerifiedSigner verifiedSigner) {
        this(quality, entity, payload, verifiedSigner, null);
    }

    /**
     * The user that a broker authenticated when the message was sent. Empty unless a broker identity signed it that the
     * policy of the address names under {@code brokers}: any other signer can write any sender.
     */
    public Optional<String> sender() {
        return Optional.ofNullable(provedSender);
    }

    /** The entity, unless the message was let through unprotected. */
    public Optional<Entity> entityIfProtected() {
        return Optional.ofNullable(entity);
    }

    /**
     * The distinguished name (RFC 4514) that trust binds to the signer's key, if the message is signed. If trust binds
     * none, {@code ski:} and the key identifier.
     */
    public Optional<String> signer() {
        return Optional.ofNullable(verifiedSigner).map(VerifiedSigner::name);
    }

    /** The signer's certificate, or null if the message is not signed. The name in it is not proved. */
    public @Nullable X509Certificate signerCertificate() {
        return verifiedSigner == null ? null : verifiedSigner.certificate();
    }
}
