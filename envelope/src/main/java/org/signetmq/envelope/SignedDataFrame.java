/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.signetmq.envelope.DerReader.INTEGER;
import static org.signetmq.envelope.DerReader.OCTET_STRING;
import static org.signetmq.envelope.DerReader.SEQUENCE;
import static org.signetmq.envelope.DerReader.SET;
import static org.signetmq.envelope.DerReader.constructed;
import static org.signetmq.envelope.DerWriter.element;
import static org.signetmq.envelope.DerWriter.sizeOf;

import java.time.Instant;

/**
 * A ContentInfo of SignedData (RFC 5652 section 5), without the entity that stands in its middle: the entity is never
 * copied to be framed.
 *
 * @param before what goes before the entity
 * @param after what goes after
 */
record SignedDataFrame(byte[] before, byte[] after) {
    static final byte[] VERSION_3 = {INTEGER, 1, 3}; // signers named by key identifier
    static final byte[] SHA_512 = element(SEQUENCE, Oids.SHA_512);
    private static final byte[] DIGEST_ALGORITHMS = element(SET, SHA_512);

    /**
     * Signs.
     *
     * @param digest SHA-512 of the entity
     * @param length of the entity
     */
    static SignedDataFrame sign(SignerProfile signer, byte[] digest, int length, Instant time) {
        byte[] attributes = signer.signedAttributes(digest, time);
        byte[] signature = signer.key().sign(attributes); // as SET OF, RFC 5652 section 5.4
        attributes[0] = (byte) constructed(0);
        int info = signer.beforeAttributes().length
                + attributes.length
                + signer.algorithm().length
                + sizeOf(signature.length);
        DerWriter after = new DerWriter(signer.certificates().length + sizeOf(sizeOf(info)))
                .raw(signer.certificates())
                .head(SET, sizeOf(info))
                .head(SEQUENCE, info)
                .raw(signer.beforeAttributes())
                .raw(attributes)
                .raw(signer.algorithm())
                .head(OCTET_STRING, signature.length)
                .raw(signature);
        return frame(after.finish(), length);
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
