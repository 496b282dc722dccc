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
import org.signetmq.envelope.internal.signature.SignerProfile.Signature;

/**
 * Writes a ContentInfo of SignedData (RFC 5652 section 5) around an entity. It writes each part once, into the
 * envelope. If the signature covers a list, the entity is an unsigned attribute, and the last bytes.
 *
 * @param list the list that the signature covers; null if it covers the entity
 * @param signature the signature, or the classical one and the one behind it
 * @param entity the length of the entity in bytes
 */
public record SignedDataWriter(Signature signature, byte @Nullable [] list, int entity) {
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
        writer.raw(signature.signer().certificates()).head(SET, signerInfosLength());
        Signature second = signature.second();
        if (second != null) {
            write(signature, signature.length(), writer);
        }
        write(last(), lastLength(), writer);
    }

    private static void write(Signature signature, int length, DerWriter writer) {
        SignerProfile signer = signature.signer();
        writer.head(SEQUENCE, length)
                .raw(signer.beforeAttributes())
                .raw(signature.attributes())
                .raw(signer.algorithm())
                .head(OCTET_STRING, signature.value().length)
                .raw(signature.value());
    }

    /** The signature that stands last: DER sorts by length here, and one of ML-DSA is longer than all others. */
    private Signature last() {
        Signature second = signature.second();
        return second == null ? signature : second;
    }

    private int infoLength() {
        return Oids.SIGNED_DATA.length + sizeOf(sizeOf(signedDataLength()));
    }

    private int signedDataLength() {
        return VERSION_3.length
                + DIGEST_ALGORITHMS.length
                + sizeOf(contentLength())
                + signature.signer().certificates().length
                + sizeOf(signerInfosLength());
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

    private int signerInfosLength() {
        return sizeOf(lastLength()) + (signature.second() == null ? 0 : sizeOf(signature.length()));
    }

    private int lastLength() {
        return last().length() + (list == null ? 0 : sizeOf(sizeOf(attributeLength())));
    }

    /** The number of bytes that this structure adds to the entity. */
    public int length() {
        return sizeOf(infoLength()) - entity;
    }
}
