/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.OID;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.PartyIdentifier.CertificateIdentifiers;
import org.signetmq.envelope.internal.der.BerStream;
import org.signetmq.envelope.internal.der.BerTranscoder;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

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
    public static final int LONGEST_NAME = "issuer-serial:".length() + 2 * Limits.KEY_IDENTIFIER;

    /** The greatest length of issuer and serial number, in bytes, with their tags and lengths. */
    private static final int LONGEST_ISSUER_SERIAL = Limits.ISSUER + Limits.SERIAL_NUMBER + 16;

    private static final int LONGEST_TYPE = 32;
    private static final byte[] NO_BYTES = {};

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
        return List.of(ofKeyIdentifier(identifiers.keyIdentifier()), ofIssuerAndSerial(identifiers.issuerAndSerial()));
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
        PushbackInputStream in = new PushbackInputStream(message, EnvelopeSplitter.HEAD); // it skips as the stream does
        byte[] head = in.readNBytes(EnvelopeSplitter.HEAD);
        if (!EnvelopeParser.looksSealed(head, 0, head.length)) {
            return Optional.empty();
        }
        in.unread(head);
        return Optional.of(envelope(in));
    }

    private static String ofKeyIdentifier(byte[] identifier) {
        return "ski:" + HexFormat.of().formatHex(identifier);
    }

    /** Returns the name for issuer and serial number in their distinguished encoding. */
    private static String ofIssuerAndSerial(byte[] encoded) {
        return "issuer-serial:" + Sha256.of(Slice.of(encoded));
    }

    private static EnvelopeParties envelope(InputStream envelope) throws IOException {
        BerStream.Element contentInfo = BerStream.of(envelope, EnvelopeSplitter.MOST_ALONE, Limits.DEPTH)
                .next(SEQUENCE);
        byte[] type = element(OID, contentInfo.next(OID).content(LONGEST_TYPE, "envelope: a long content type"));
        BerStream.Element content = contentInfo.next(constructed(0)).next(SEQUENCE);
        BerStream.Element version = content.next(INTEGER);
        Malformed.when(version.content(1, "envelope: a large version").length != 1, "envelope: no version");
        if (Slice.of(type).contentEquals(Oids.SIGNED_DATA)) {
            return new EnvelopeParties(Set.of(), signer(content));
        }
        Malformed.when(
                !Slice.of(type).contentEquals(Oids.AUTH_ENVELOPED_DATA),
                "envelope: neither SignedData nor AuthEnvelopedData");
        Recipients found = new Recipients();
        found.read(content.next(SET));
        return new EnvelopeParties(found.names, null);
    }

    private static String signer(BerStream.Element signedData) throws IOException {
        signedData.next(SET);
        signedData.next(SEQUENCE);
        BerStream.Element next = signedData.required();
        while (next.tag() == constructed(0) || next.tag() == constructed(1)) {
            next = signedData.required(); // behind certificates and revocation lists
        }
        Malformed.when(next.tag() != SET, "envelope: no signer");
        BerStream.Element info = next.next(SEQUENCE);
        info.next(INTEGER);
        return party(info.required(), primitive(0));
    }

    private static String party(BerStream.Element named, int keyIdentifierTag) throws IOException {
        if (named.tag() == keyIdentifierTag) {
            return ofKeyIdentifier(named.content(Limits.KEY_IDENTIFIER, "envelope: a long key identifier"));
        }
        if (named.tag() != SEQUENCE) {
            throw new MalformedEnvelopeException("envelope: a recipient or signer has an unknown kind of identifier");
        }
        byte[] whole =
                element(SEQUENCE, named.content(LONGEST_ISSUER_SERIAL, "envelope: a long issuer or serial number"));
        Slice der = BerTranscoder.toDer(Slice.of(whole), NO_BYTES);
        return ofIssuerAndSerial(der == null ? whole : der.copy());
    }

    /** The names of the keys of all recipient infos. */
    private static final class Recipients {
        private final Set<String> names = new LinkedHashSet<>();
        private int count;

        void read(BerStream.Element infos) throws IOException {
            for (BerStream.Element info = infos.next(); info != null; info = infos.next()) {
                countOne();
                if (info.tag() == SEQUENCE) {
                    info.next(INTEGER);
                    names.add(party(info.required(), primitive(0)));
                } else if (info.tag() == constructed(1)) {
                    readAgreement(info);
                } else if (info.tag() == constructed(4) && isKem(info.next(OID))) {
                    BerStream.Element kem = info.next(SEQUENCE);
                    kem.next(INTEGER);
                    names.add(party(kem.required(), primitive(0)));
                } // no key of a certificate can open a recipient info of another kind
            }
        }

        private static boolean isKem(BerStream.Element type) throws IOException {
            byte[] identifier = type.content(LONGEST_TYPE, "envelope: a long type of recipient info");
            return Arrays.equals(element(OID, identifier), Oids.KEM_RECIPIENT);
        }

        private void readAgreement(BerStream.Element info) throws IOException {
            info.next(INTEGER);
            info.next(constructed(0));
            BerStream.Element algorithm = info.required();
            if (algorithm.tag() == constructed(1)) {
                algorithm = info.required(); // behind the user keying material
            }
            Malformed.when(algorithm.tag() != SEQUENCE, "envelope: unexpected element");
            BerStream.Element keys = info.next(SEQUENCE);
            boolean first = true; // the first key counts as its recipient info
            for (BerStream.Element key = keys.next(); key != null; key = keys.next()) {
                if (!first) {
                    countOne();
                }
                first = false;
                Malformed.when(key.tag() != SEQUENCE, "envelope: unexpected element");
                BerStream.Element named = key.required();
                names.add(party(named.tag() == constructed(0) ? named.next(OCTET_STRING) : named, OCTET_STRING));
            }
        }

        private void countOne() {
            Malformed.when(++count > Limits.RECIPIENTS, "envelope: more than " + Limits.RECIPIENTS + " recipients");
        }
    }
}
