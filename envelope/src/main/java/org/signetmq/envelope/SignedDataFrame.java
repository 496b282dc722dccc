/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.signetmq.envelope.DerReader.INTEGER;
import static org.signetmq.envelope.DerReader.OCTET_STRING;
import static org.signetmq.envelope.DerReader.SEQUENCE;
import static org.signetmq.envelope.DerReader.SET;
import static org.signetmq.envelope.DerReader.constructed;
import static org.signetmq.envelope.DerWriter.concat;
import static org.signetmq.envelope.DerWriter.element;
import static org.signetmq.envelope.DerWriter.sizeOf;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A ContentInfo of SignedData (RFC 5652 section 5), without the entity that stands in its middle: the entity is never
 * copied to be framed.
 *
 * @param before what goes before the entity
 * @param after what goes after
 */
record SignedDataFrame(byte[] before, byte[] after) {
    private static final byte[] VERSION_3 = {INTEGER, 1, 3}; // signers named by key identifier
    private static final byte[] SHA_512 = element(SEQUENCE, Oids.SHA_512);
    private static final byte[] DIGEST_ALGORITHMS = element(SET, SHA_512);
    private static final byte[] CONTENT_TYPE = element(SEQUENCE, Oids.CONTENT_TYPE, element(SET, Oids.DATA));
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final DateTimeFormatter TWO_DIGIT_YEAR =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter FOUR_DIGIT_YEAR =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant YEAR_2050 = Instant.parse("2050-01-01T00:00:00Z");

    /**
     * Signs.
     *
     * @param digest SHA-512 of the entity
     * @param length of the entity
     */
    static SignedDataFrame sign(SignerProfile signer, byte[] digest, int length, Instant time) {
        byte[] attributes = DerWriter.setOf(
                SET,
                CONTENT_TYPE,
                element(SEQUENCE, Oids.SIGNING_TIME, element(SET, time(time))),
                element(SEQUENCE, Oids.MESSAGE_DIGEST, element(SET, element(OCTET_STRING, digest))),
                signer.signingCertificateAttribute());
        byte[] signature = signer.key().sign(attributes); // as SET OF, RFC 5652 section 5.4
        attributes[0] = (byte) constructed(0);
        byte[] signerInfo = element(
                SEQUENCE,
                VERSION_3,
                signer.identifier(),
                SHA_512,
                attributes,
                SignatureOids.of(signer.key().scheme()),
                element(OCTET_STRING, signature));
        return frame(concat(signer.certificates(), element(SET, signerInfo)), length);
    }

    private static SignedDataFrame frame(byte[] after, int entity) {
        int octets = sizeOf(entity);
        int explicit = sizeOf(octets);
        int content = Oids.DATA.length + explicit;
        int signedData = VERSION_3.length + DIGEST_ALGORITHMS.length + sizeOf(content) + after.length;
        int info = Oids.SIGNED_DATA.length + sizeOf(sizeOf(signedData));
        DerWriter before = new DerWriter(sizeOf(info) - entity - after.length)
                .head(SEQUENCE, info)
                .raw(Oids.SIGNED_DATA)
                .head(constructed(0), sizeOf(signedData))
                .head(SEQUENCE, signedData)
                .raw(VERSION_3)
                .raw(DIGEST_ALGORITHMS)
                .head(SEQUENCE, content)
                .raw(Oids.DATA)
                .head(constructed(0), octets)
                .head(OCTET_STRING, entity);
        return new SignedDataFrame(before.finish(), after);
    }

    /** Time (RFC 5652 section 11.3): two digits for the year until 2049, four from then on. */
    private static byte[] time(Instant time) {
        boolean late = !time.isBefore(YEAR_2050);
        String text = (late ? FOUR_DIGIT_YEAR : TWO_DIGIT_YEAR).format(time);
        return element(late ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * The most that this signer's frames add to an entity: what stands in each, and a signature of the largest size.
     */
    static int mostLength(SignerProfile signer) {
        int fixed = 512; // versions, identifiers, algorithms, attributes, and their tags and lengths
        return fixed + signer.certificates().length + signer.key().mostSignatureLength();
    }

    /** How much longer the whole is than the entity. */
    int length() {
        return before.length + after.length;
    }
}
