/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.sizeOf;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;

/**
 * Writes a ContentInfo of SignedData (RFC 5652 section 5) around an entity. It writes each part once, into the
 * envelope. If the signature covers a list, the entity is an unsigned attribute, and the last bytes.
 *
 * @param list the list that the signature covers; null if it covers the entity
 * @param attributes the signed attributes, as the [0] IMPLICIT of a SignerInfo
 * @param entity the length of the entity in bytes
 */
public record SignedDataWriter(
        SignerProfile signer, byte @Nullable [] list, byte[] attributes, byte[] signature, int entity) {
    static final byte[] VERSION_3 = {INTEGER, 1, 3}; // signers named by key identifier
    static final byte[] SHA_512 = element(SEQUENCE, Oids.SHA_512);
    private static final byte[] DIGEST_ALGORITHMS = element(SET, SHA_512);

    /**
     * Signs an entity.
     *
     * @param digest SHA-512 of the entity
     * @param length the length of the entity in bytes
     */
    public static SignedDataWriter sign(SignerProfile signer, byte[] digest, int length, Instant time) {
        return signer.sign(Oids.DATA, digest, time).of(null, length);
    }

    /** Writes the part before the entity. */
    public void writeBefore(DerWriter writer) {
        writer.head(SEQUENCE, infoLength())
                .raw(Oids.SIGNED_DATA)
                .head(constructed(0), sizeOf(signedDataLength()))
                .head(SEQUENCE, signedDataLength())
                .raw(VERSION_3)
                .raw(DIGEST_ALGORITHMS)
                .head(SEQUENCE, contentLength())
                .raw(list == null ? Oids.DATA : Oids.HASH_LIST)
                .head(constructed(0), sizeOf(coveredLength()))
                .head(OCTET_STRING, coveredLength());
        if (list != null) {
            writer.raw(list);
            writeSigner(writer);
            writer.head(constructed(1), sizeOf(attributeLength()))
                    .head(SEQUENCE, attributeLength())
                    .raw(Oids.LISTED_ENTITY)
                    .head(SET, sizeOf(entity))
                    .head(OCTET_STRING, entity);
        }
    }

    /** Writes the part after the entity. */
    public void writeAfter(DerWriter writer) {
        if (list == null) {
            writeSigner(writer);
        }
    }

    private void writeSigner(DerWriter writer) {
        writer.raw(signer.certificates())
                .head(SET, sizeOf(signerInfoLength()))
                .head(SEQUENCE, signerInfoLength())
                .raw(signer.beforeAttributes())
                .raw(attributes)
                .raw(signer.algorithm())
                .head(OCTET_STRING, signature.length)
                .raw(signature);
    }

    private int infoLength() {
        return Oids.SIGNED_DATA.length + sizeOf(sizeOf(signedDataLength()));
    }

    private int signedDataLength() {
        return VERSION_3.length
                + DIGEST_ALGORITHMS.length
                + sizeOf(contentLength())
                + signer.certificates().length
                + sizeOf(sizeOf(signerInfoLength()));
    }

    private int contentLength() {
        byte[] type = list == null ? Oids.DATA : Oids.HASH_LIST;
        return type.length + sizeOf(sizeOf(coveredLength()));
    }

    private int coveredLength() {
        return list == null ? entity : list.length;
    }

    /** The length of the content of the unsigned attribute. */
    private int attributeLength() {
        return Oids.LISTED_ENTITY.length + sizeOf(sizeOf(entity));
    }

    private int signerInfoLength() {
        return signer.beforeAttributes().length
                + attributes.length
                + signer.algorithm().length
                + sizeOf(signature.length)
                + (list == null ? 0 : sizeOf(sizeOf(attributeLength())));
    }

    /** The number of bytes that this structure adds to the entity. */
    public int length() {
        return sizeOf(infoLength()) - entity;
    }
}
