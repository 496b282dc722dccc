/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.internal.signature.SignedDataWriter;
import org.signetmq.envelope.internal.signature.SignerProfile;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;

/**
 * A document as CMS SignedData, with the certificates of its signer. The content is not an entity, so no sealed message
 * passes for a document of another form, and no document passes for a message.
 */
public final class SignedDocument {
    private final byte[] content;
    private final List<X509Certificate> path;
    private final String signerName;

    private SignedDocument(byte[] content, List<X509Certificate> path, String signerName) {
        this.content = content;
        this.path = List.copyOf(path);
        this.signerName = signerName;
    }

    /**
     * Signs a document.
     *
     * @return one DER ContentInfo, which the caller owns
     * @throws org.signetmq.keystore.KeystoreUnusableException if the key cannot sign
     */
    public static byte[] sign(byte[] content, Identity signer, Clock clock) {
        SignedDataWriter writer = SignedDataWriter.sign(
                SignerProfile.ofDocument(signer),
                CryptoProviders.digest("SHA-512").digest(content),
                content.length,
                clock.instant());
        DerWriter der = DerWriter.in(null, writer.length() + content.length);
        writer.writeBefore(der);
        der.raw(content);
        writer.writeAfter(der);
        return der.whole().copy();
    }

    /**
     * Verifies a document.
     *
     * @param trust decides whether the signer may sign
     * @throws EnvelopeException if it is not signed by the key of its certificate, or trust rejects the certificate
     */
    public static SignedDocument verify(byte[] signed, CertificateTrust trust, Clock clock) {
        ParsedEnvelope.Signed parsed = parse(signed);
        SignatureVerifier.Verified verified = new SignatureVerifier(
                        NoDirectory.EMPTY, trust, clock, CryptoProviders.standard())
                .verify(parsed, null, new OperationBudget());
        return new SignedDocument(
                verified.content().copy(),
                verified.trusted().path(),
                verified.trusted().shownName());
    }

    /**
     * Verifies a document by the certificate in it alone. The caller decides about the owner of its key, and the dates
     * of the certificate do not count.
     *
     * @throws EnvelopeException if it is not signed by the key of its certificate
     */
    static SignedDocument ofAnySigner(byte[] signed) {
        ParsedEnvelope.Signed parsed = parse(signed);
        X509Certificate signer = SignatureVerifier.signer(parsed, NoDirectory.EMPTY, CryptoProviders.standard());
        return new SignedDocument(parsed.content().copy(), List.of(signer), "ski:" + KeyIdentifier.ofKey(signer));
    }

    private static ParsedEnvelope.Signed parse(byte[] signed) {
        if (!(EnvelopeParser.parse(Slice.of(signed)) instanceof ParsedEnvelope.Signed parsed)) {
            throw new MalformedEnvelopeException("document: encrypted, and not signed alone");
        }
        Malformed.when(parsed.list() != null, "document: of a list, and not signed alone");
        if (parsed.certificates().isEmpty()) {
            throw new MalformedEnvelopeException("document: without the certificate of its signer");
        }
        return parsed;
    }

    /** Returns a copy of the content. */
    public byte[] content() {
        return content.clone();
    }

    /** Returns the certificate of the signer. The names in it are not proved. */
    public X509Certificate signer() {
        return path.get(0);
    }

    /** Returns the path that trust accepted: the certificate of the signer first, then its issuers. */
    public List<X509Certificate> path() {
        return path;
    }

    /** Returns the DN that trust binds to the signer's key, or {@code ski:} and the key identifier. */
    public String signerName() {
        return signerName;
    }

    /** A directory without certificates: the document has those of its signer. */
    private enum NoDirectory implements RecipientDirectory {
        EMPTY;

        @Override
        public Optional<Recipient> find(String selector) {
            return Optional.empty();
        }

        @Override
        public List<Recipient> find(KeyIdentifier keyIdentifier) {
            return List.of();
        }

        @Override
        public List<Recipient> all() {
            return List.of();
        }

        @Override
        public long version() {
            return 0;
        }
    }
}
