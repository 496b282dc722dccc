/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * What can be said of an envelope without any key.
 *
 * @param structure {@code SignedData} or {@code AuthEnvelopedData}
 * @param contentAlgorithm {@code AES-256-GCM}, or null if not encrypted
 * @param recipients for whom a data key is wrapped
 * @param signature who signed, or null if not signed outside
 * @param length of the envelope in bytes
 */
public record EnvelopeDescription(
        String structure,
        @Nullable String contentAlgorithm,
        List<RecipientDescription> recipients,
        @Nullable SignatureDescription signature,
        long length) {

    /**
     * One recipient.
     *
     * @param identifier {@code ski:HEX} or {@code issuer=DN, serial=HEX}
     * @param keyEncryption such as {@code ECDH P-256, AES-256 key wrap} or {@code RSA-OAEP-SHA-256}
     */
    public record RecipientDescription(String identifier, String keyEncryption) {}

    /**
     * The signature, not verified. What a certificate in the message says of itself is not told.
     *
     * @param identifier {@code ski:HEX} or {@code issuer=DN, serial=HEX}
     * @param algorithm such as {@code ECDSA-SHA-512}
     */
    public record SignatureDescription(String identifier, String algorithm) {}

    /** The quality as far as it shows from outside: integrity, or either of privacy and confidentiality. */
    public String quality() {
        return structure.equals("SignedData") ? "integrity" : "privacy or confidentiality";
    }

    /** The signature, if there is one outside. */
    public Optional<SignatureDescription> signatureIfVisible() {
        return Optional.ofNullable(signature);
    }

    /**
     * Describes an envelope.
     *
     * @throws MalformedEnvelopeException if it is none
     */
    public static EnvelopeDescription of(byte[] envelope) {
        return EnvelopeDescriber.describe(envelope);
    }
}
