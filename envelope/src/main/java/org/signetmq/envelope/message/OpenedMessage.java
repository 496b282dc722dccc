/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.QualityOfProtection;

/**
 * A message that was opened and verified.
 *
 * @param quality the quality that protected the message; {@link QualityOfProtection#NONE} for one that the policy
 *     accepted in clear
 * @param entity the entity inside the envelope; null for a message in clear
 * @param payload the payload; the receiver of the message owns the array
 * @param verifiedSigner the signer, or the sender that agreed on the data key; null if none is proved
 * @param provedSender the user that a broker authenticated, or null; see {@link #sender}
 */
public record OpenedMessage(
        QualityOfProtection quality,
        @Nullable Entity entity,
        byte[] payload,
        @Nullable VerifiedSigner verifiedSigner,
        @Nullable String provedSender) {

    /**
     * The user that a broker authenticated when the message was sent. It is present only if the policy of the address
     * lists the signer under {@code brokers}. Any other signer can write any sender.
     */
    public Optional<String> sender() {
        return Optional.ofNullable(provedSender);
    }

    /** The entity, or empty for a message in clear. */
    public Optional<Entity> entityIfProtected() {
        return Optional.ofNullable(entity);
    }

    /**
     * The proof of the signer: {@code signature}, or {@code agreement} on the data key. An agreement proves the sender
     * to recipients that trust each other, and proves nothing to others. Empty without a signer.
     */
    public Optional<String> proof() {
        return Optional.ofNullable(verifiedSigner).map(VerifiedSigner::proof);
    }

    /**
     * The distinguished name (RFC 4514) that trust binds to the signer's key, if the signer is proved. If trust binds
     * none, {@code ski:} and the key identifier.
     */
    public Optional<String> signer() {
        return Optional.ofNullable(verifiedSigner).map(VerifiedSigner::name);
    }

    /** The signer's certificate, or null if none is proved. The name in it is not proved. */
    public @Nullable X509Certificate signerCertificate() {
        return verifiedSigner == null ? null : verifiedSigner.certificate();
    }

    /**
     * The proved signer of a message, or its sender that agreed on the data key.
     *
     * @param certificate the certificate; the name in it is not proved
     * @param name the distinguished name (RFC 4514) that trust binds to the signer's key, or {@code ski:} and the key
     *     identifier if trust binds none
     * @param proof {@code signature} or {@code agreement}
     */
    public record VerifiedSigner(X509Certificate certificate, String name, String proof) {}
}
