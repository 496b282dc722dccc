/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.EnvelopeLength;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.PartyNames;

/**
 * The keys that an envelope names, read without any key and without verification. A key is named by {@code ski:HEX},
 * the subject key identifier of its certificate, or by {@code issuer-serial:HEX}, the SHA-256 of issuer and serial
 * number of its certificate. The envelope of a stranger may name any keys.
 *
 * @param recipients the keys that can open the envelope; empty if it is not encrypted
 * @param signer the key that signed an envelope that is not encrypted; the signer inside an encrypted one is not
 *     visible
 */
public record EnvelopeParties(
        Set<String> recipients, @Nullable String signer) {
    /** The longest name of a key, in characters. */
    public static final int LONGEST_NAME = PartyNames.LONGEST;

    public EnvelopeParties {
        recipients = Set.copyOf(recipients);
    }

    /** The key of the visible signature. */
    public Optional<String> signerIfVisible() {
        return Optional.ofNullable(signer);
    }

    /** Returns the names that envelopes have for the key of a certificate. */
    public static List<String> namesOf(X509Certificate certificate) {
        CertificateIdentifiers identifiers = CertificateIdentifiers.of(certificate);
        return List.of(
                PartyNames.ofKeyIdentifier(identifiers.keyIdentifier()),
                PartyNames.ofIssuerAndSerial(identifiers.issuerAndSerial()));
    }

    /**
     * Reads the first envelope of a message. Of an encrypted one it reads nothing behind the recipients, and of a
     * signed one it skips the content. It does not judge algorithms: other software may open what Signet does not.
     *
     * @param message the bytes from the start of the message
     * @return empty if the message does not begin as an envelope
     * @throws MalformedEnvelopeException if the beginning of the envelope cannot be understood
     * @throws IOException if the stream fails, or ends inside the envelope
     */
    public static Optional<EnvelopeParties> read(InputStream message) throws IOException {
        PushbackInputStream in = new PushbackInputStream(message, EnvelopeLength.HEAD); // it skips as the stream does
        byte[] head = in.readNBytes(EnvelopeLength.HEAD);
        if (!EnvelopeParser.looksSealed(head, 0, head.length)) {
            return Optional.empty();
        }
        in.unread(head);
        PartyNames.Found found = PartyNames.read(in);
        return Optional.of(new EnvelopeParties(found.recipients(), found.signer()));
    }
}
