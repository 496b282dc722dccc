/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * The visible properties of an envelope, without any key and without verification.
 *
 * @param structure {@code SignedData} or {@code AuthEnvelopedData}
 * @param contentAlgorithm {@code AES-256-GCM}, or null if not encrypted
 * @param recipients the recipients of the data key
 * @param signature the signature, or null if none is visible
 * @param length the length of the envelope in bytes
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
     * The signature, not verified. It leaves out the unproved names in certificates of the message.
     *
     * @param identifier {@code ski:HEX} or {@code issuer=DN, serial=HEX}
     * @param algorithm such as {@code ECDSA-SHA-512}
     */
    public record SignatureDescription(String identifier, String algorithm) {}

    /** The visible quality: integrity, or one of privacy and confidentiality. */
    public String quality() {
        return structure.equals("SignedData") ? "integrity" : "privacy or confidentiality";
    }

    /** The signature, or empty if none is visible. */
    public Optional<SignatureDescription> signatureIfVisible() {
        return Optional.ofNullable(signature);
    }

    /**
     * Describes an envelope.
     *
     * @throws MalformedEnvelopeException if the bytes are no envelope
     */
    public static EnvelopeDescription of(byte[] envelope) {
        return EnvelopeDescriber.describe(envelope);
    }
}
