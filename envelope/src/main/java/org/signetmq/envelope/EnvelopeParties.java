/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.PartyIdentifier.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.internal.der.BerStream;
import org.signetmq.envelope.internal.der.BerTranscoder;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.keystore.KeyIdentifier;

/**
 * The keys that an envelope names, read without any key and without verification. A key is named by {@code ski:HEX},
 * the subject key identifier of its certificate, or by {@code issuer-serial:HEX}, the SHA-256 of issuer and serial
 * number of its certificate. The envelope of a stranger may name any keys.
 *
 * @param recipients the keys that can open the envelope; empty if it is not encrypted
 * @param signers the keys that signed an envelope that is not encrypted: two where both kinds of keys sign, the
 *     classical one first; the signers inside an encrypted one are not visible
 * @param sender the key by which the sender claims to have agreed on the data key, or null
 */
public record EnvelopeParties(
        Set<String> recipients,
        List<String> signers,
        @Nullable String sender) {
    /** The longest name of a key, in characters. */
    public static final int LONGEST_NAME = "issuer-serial:".length() + 2 * Limits.KEY_IDENTIFIER;

    /** The greatest length of issuer and serial number, in bytes, with their tags and lengths. */
    private static final int LONGEST_ISSUER_SERIAL = Limits.ISSUER + Limits.SERIAL_NUMBER + 16;

    private static final int LONGEST_TYPE = 32;
    private static final byte[] NO_BYTES = {};

    public EnvelopeParties {
        recipients = Set.copyOf(recipients);
        signers = List.copyOf(signers);
    }

    /** The key that the sender claims, or empty if the envelope claims none. Its recipients alone have the proof. */
    public Optional<String> senderIfClaimed() {
        return Optional.ofNullable(sender);
    }

    /** Returns the names that envelopes have for the key of a certificate. A sender is named by the key alone. */
    public static List<String> namesOf(X509Certificate certificate) {
        CertificateIdentifiers identifiers = CertificateIdentifiers.of(certificate);
        return Stream.of(
                        ofKeyIdentifier(identifiers.keyIdentifier()),
                        ofIssuerAndSerial(identifiers.issuerAndSerial()),
                        ofKeyIdentifier(KeyIdentifier.ofKey(certificate).bytes()))
                .distinct()
                .toList();
    }

    /**
     * Reads the first envelope of a message. Of an encrypted one it reads nothing behind the recipients, and of a
     * signed one it skips the content and the signatures. It does not judge algorithms: other software may open what
     * Signet does not.
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
            return new EnvelopeParties(Set.of(), signers(content), null);
        }
        Malformed.when(
                !Slice.of(type).contentEquals(Oids.AUTH_ENVELOPED_DATA),
                "envelope: neither SignedData nor AuthEnvelopedData");
        Recipients found = new Recipients();
        found.read(content.next(SET));
        return new EnvelopeParties(found.names, List.of(), found.sender());
    }

    private static List<String> signers(BerStream.Element signedData) throws IOException {
        signedData.next(SET);
        signedData.next(SEQUENCE);
        BerStream.Element next = signedData.required();
        while (next.tag() == constructed(0) || next.tag() == constructed(1)) {
            next = signedData.required(); // behind certificates and revocation lists
        }
        Malformed.when(next.tag() != SET, "envelope: no signer");
        List<String> signers = new ArrayList<>(Limits.SIGNERS);
        BerStream.Element info = next.required();
        while (info != null) {
            Malformed.when(info.tag() != SEQUENCE, "envelope: unexpected element");
            Malformed.when(signers.size() == Limits.SIGNERS, "envelope: more than " + Limits.SIGNERS + " signers");
            info.next(INTEGER);
            signers.add(party(info.required(), primitive(0)));
            info = next.next();
        }
        return signers;
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

    /** The names of the keys of all recipient infos, and of the sender. */
    private static final class Recipients {
        private final Set<String> names = new LinkedHashSet<>();
        private @Nullable SenderKey named;
        private int infos;
        private int count;

        /** Returns the name of the sender, which no recipient info beside its own may claim; null if there is none. */
        @Nullable
        String sender() {
            return named == null || infos > 1 ? null : named.selector();
        }

        void read(BerStream.Element all) throws IOException {
            for (BerStream.Element info = all.next(); info != null; info = all.next()) {
                countOne();
                infos++;
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
            byte[] point = originatorKey(info.next(constructed(0)).required());
            BerStream.Element algorithm = info.required();
            if (algorithm.tag() == constructed(1)) {
                byte[] material = primitiveContent(algorithm.required(), OCTET_STRING, Limits.USER_KEYING_MATERIAL);
                named = SenderKey.named(point, material);
                algorithm = info.required();
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

        /** Returns the bits of an originator's public key; nothing if the originator is named otherwise. */
        private static byte[] originatorKey(BerStream.Element originator) throws IOException {
            if (originator.tag() != constructed(1)) {
                return NO_BYTES;
            }
            originator.next(SEQUENCE);
            return primitiveContent(originator.required(), BIT_STRING, Limits.ORIGINATOR_KEY);
        }

        /** Returns the content of a string; nothing if it is in parts, as no sender writes it. */
        private static byte[] primitiveContent(BerStream.Element string, int tag, int most) throws IOException {
            return string.tag() == tag ? string.content(most, "envelope: a long key or keying material") : NO_BYTES;
        }

        private void countOne() {
            Malformed.when(++count > Limits.RECIPIENTS, "envelope: more than " + Limits.RECIPIENTS + " recipients");
        }
    }
}
