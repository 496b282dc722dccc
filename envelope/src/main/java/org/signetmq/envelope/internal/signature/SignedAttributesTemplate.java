/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;

/**
 * The signed attributes (RFC 5652 section 11) of one signer within one second, without the digest of a message.
 * Immutable.
 *
 * @param second of the signing time, since 1970
 * @param encoded as SET OF, with zeros for the digest
 * @param digestAt the index of the digest in the encoding
 */
record SignedAttributesTemplate(long second, byte[] encoded, int digestAt) {
    private static final int SHA_512_LENGTH = 64;
    private static final byte[] CONTENT_TYPE = element(SEQUENCE, Oids.CONTENT_TYPE, element(SET, Oids.DATA));
    private static final byte[] EMPTY_DIGEST =
            element(SEQUENCE, Oids.MESSAGE_DIGEST, element(SET, element(OCTET_STRING, new byte[SHA_512_LENGTH])));
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final DateTimeFormatter TWO_DIGIT_YEAR =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter FOUR_DIGIT_YEAR =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant YEAR_2050 = Instant.parse("2050-01-01T00:00:00Z");

    /** Returns the attributes for the second of this time, with this signing-certificate-v2 attribute. */
    static SignedAttributesTemplate of(byte[] signingCertificate, Instant time) {
        byte[] signingTime = element(SEQUENCE, Oids.SIGNING_TIME, element(SET, time(time)));
        // their first bytes differ, so the digest does not change their order
        byte[][] sorted = DerWriter.sorted(CONTENT_TYPE, signingTime, EMPTY_DIGEST, signingCertificate);
        byte[] encoded = element(SET, sorted);
        int end = encoded.length;
        for (int i = sorted.length - 1; sorted[i] != EMPTY_DIGEST; i--) {
            end -= sorted[i].length;
        }
        return new SignedAttributesTemplate(time.getEpochSecond(), encoded, end - SHA_512_LENGTH);
    }

    /** Returns the attributes of a message with this SHA-512 digest, as SET OF. */
    byte[] with(byte[] digest) {
        byte[] complete = Arrays.copyOf(encoded, encoded.length);
        System.arraycopy(digest, 0, complete, digestAt, SHA_512_LENGTH);
        return complete;
    }

    /** Encodes a time (RFC 5652 section 11.3): two digits of the year until 2049, four later. */
    private static byte[] time(Instant time) {
        boolean late = !time.isBefore(YEAR_2050);
        String text = (late ? FOUR_DIGIT_YEAR : TWO_DIGIT_YEAR).format(time);
        return element(late ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }
}
