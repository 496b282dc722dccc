/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

/**
 * The signed attributes of a signature (RFC 5652 section 11).
 *
 * @param encoded the attributes as SET OF, which the signature covers
 * @param messageDigest the digest of the content
 * @param certificateHash SHA-256 of the signer's certificate, or null if the attributes have none
 */
public record SignedAttributes(byte[] encoded, byte[] messageDigest, byte @Nullable [] certificateHash) {

    static SignedAttributes read(Slice element) {
        Malformed.when((element.array()[element.offset()] & 0xFF) != constructed(0), "envelope: no signed attributes");
        Limits.require(element.length(), Limits.SIGNED_ATTRIBUTES_BYTES, "signed attributes");
        byte[] encoded = element.copy();
        encoded[0] = SET;
        DerReader attributes = new DerReader(Slice.of(encoded)).enter(SET);
        List<Slice> seen = new ArrayList<>();
        byte[] digest = null;
        byte[] hash = null;
        boolean typed = false;
        while (attributes.hasMore()) {
            DerReader attribute = attributes.enter(SEQUENCE);
            Slice type = attribute.element();
            rejectSecond(seen, type);
            DerReader values = attribute.enter(SET);
            attribute.end();
            if (type.contentEquals(Oids.CONTENT_TYPE)) {
                values.expect(Oids.DATA, "content type");
                values.end();
                typed = true;
            } else if (type.contentEquals(Oids.MESSAGE_DIGEST)) {
                digest = values.content(OCTET_STRING).copy();
                values.end();
            } else if (type.contentEquals(Oids.SIGNING_CERTIFICATE_V2)) {
                hash = certificateHash(values);
            }
        }
        if (!typed || digest == null) {
            throw new MalformedEnvelopeException("envelope: signed attributes without content type or digest");
        }
        return new SignedAttributes(encoded, digest, hash);
    }

    private static void rejectSecond(List<Slice> seen, Slice type) {
        Malformed.when(
                seen.size() == Limits.SIGNED_ATTRIBUTES,
                "envelope: more than " + Limits.SIGNED_ATTRIBUTES + " signed attributes");
        for (Slice earlier : seen) {
            Malformed.when(type.contentEquals(earlier), "envelope: a signed attribute is repeated");
        }
        seen.add(type);
    }

    /** Returns the SHA-256 of the first certificate in signing-certificate-v2 (RFC 5035), or null for others. */
    private static byte @Nullable [] certificateHash(DerReader values) {
        DerReader first = values.enter(SEQUENCE).enter(SEQUENCE).enter(SEQUENCE);
        if (first.nextIs(SEQUENCE)) {
            Slice algorithm = first.element(); // some software writes the default, SHA-256
            if (!SignatureOids.readDigest(algorithm).equals("SHA-256")) {
                return null;
            }
        }
        return first.content(OCTET_STRING).copy();
    }
}
