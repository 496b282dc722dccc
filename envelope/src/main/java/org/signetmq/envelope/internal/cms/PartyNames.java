/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

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
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.BerStream;
import org.signetmq.envelope.internal.der.BerTranscoder;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

/** Reads the names of the keys in the beginning of an envelope, and no more of it than these need. */
public final class PartyNames {
    private static final String KEY_IDENTIFIER = "ski:";
    private static final String ISSUER_SERIAL = "issuer-serial:";

    /** The longest name, in characters. */
    public static final int LONGEST = ISSUER_SERIAL.length() + 2 * Limits.KEY_IDENTIFIER;

    /** The greatest length of issuer and serial number, in bytes, with their tags and lengths. */
    private static final int LONGEST_ISSUER_SERIAL = Limits.ISSUER + Limits.SERIAL_NUMBER + 16;

    private static final int LONGEST_TYPE = 32;
    private static final byte[] NO_BYTES = {};

    private final Set<String> recipients = new LinkedHashSet<>();
    private int count;

    private PartyNames() {}

    /**
     * The names in an envelope.
     *
     * @param signer of an envelope that is not encrypted, or null
     */
    public record Found(Set<String> recipients, @Nullable String signer) {}

    public static String ofKeyIdentifier(byte[] identifier) {
        return KEY_IDENTIFIER + HexFormat.of().formatHex(identifier);
    }

    /** Returns the name for issuer and serial number in their distinguished encoding. */
    public static String ofIssuerAndSerial(byte[] encoded) {
        return ISSUER_SERIAL + Sha256.of(Slice.of(encoded));
    }

    /** Reads an envelope from its first byte. */
    public static Found read(InputStream envelope) throws IOException {
        BerStream.Element contentInfo = BerStream.of(envelope, EnvelopeSplitter.MOST_ALONE, Limits.DEPTH)
                .next(SEQUENCE);
        byte[] type = element(OID, contentInfo.next(OID).content(LONGEST_TYPE, "envelope: a long content type"));
        BerStream.Element content = contentInfo.next(constructed(0)).next(SEQUENCE);
        BerStream.Element version = content.next(INTEGER);
        Malformed.when(version.content(1, "envelope: a large version").length != 1, "envelope: no version");
        if (Slice.of(type).contentEquals(Oids.SIGNED_DATA)) {
            return new Found(Set.of(), signer(content));
        }
        Malformed.when(
                !Slice.of(type).contentEquals(Oids.AUTH_ENVELOPED_DATA),
                "envelope: neither SignedData nor AuthEnvelopedData");
        PartyNames names = new PartyNames();
        names.readRecipients(content.next(SET));
        return new Found(names.recipients, null);
    }

    private void readRecipients(BerStream.Element infos) throws IOException {
        for (BerStream.Element info = infos.next(); info != null; info = infos.next()) {
            countOne();
            if (info.tag() == SEQUENCE) {
                info.next(INTEGER);
                recipients.add(party(info.required(), primitive(0)));
            } else if (info.tag() == constructed(1)) {
                readAgreement(info);
            } // no key of a certificate can open a recipient info of another kind
        }
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
            recipients.add(party(named.tag() == constructed(0) ? named.next(OCTET_STRING) : named, OCTET_STRING));
        }
    }

    private void countOne() {
        Malformed.when(++count > Limits.RECIPIENTS, "envelope: more than " + Limits.RECIPIENTS + " recipients");
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
}
