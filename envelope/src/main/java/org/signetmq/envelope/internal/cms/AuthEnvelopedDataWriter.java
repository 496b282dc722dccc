/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.sizeOf;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.DerWriter.EncodingMemory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.KeyLease;

/**
 * Writes a ContentInfo of AuthEnvelopedData (RFC 5083) with AES-256-GCM (RFC 5084) around its content, and encrypts the
 * content in place. It writes no attributes, because OpenSSL 3.0 cannot parse them.
 */
public final class AuthEnvelopedDataWriter {
    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    private static final byte[] TAG_LENGTH = {INTEGER, 1, ContentCipher.TAG_LENGTH};
    private static final int NONCE_SIZE = sizeOf(KeyLease.NONCE_LENGTH);
    private static final int TAG_SIZE = sizeOf(ContentCipher.TAG_LENGTH);
    private static final int PARAMETERS = NONCE_SIZE + TAG_LENGTH.length;
    private static final int ALGORITHM = Oids.AES_256_GCM.length + sizeOf(PARAMETERS);

    private final DerWriter writer;
    private final int contentStart;
    private final int contentLength;

    /** Writes the part before the content, into the memory or a new array. */
    public AuthEnvelopedDataWriter(KeyLease use, int contentLength, @Nullable EncodingMemory memory) {
        byte[] recipientInfos = use.wrapped();
        int encryptedContent = Oids.DATA.length + sizeOf(ALGORITHM) + sizeOf(contentLength);
        int data = VERSION_0.length + recipientInfos.length + sizeOf(encryptedContent) + TAG_SIZE;
        int info = Oids.AUTH_ENVELOPED_DATA.length + sizeOf(sizeOf(data));
        this.writer = DerWriter.in(memory, sizeOf(info))
                .head(SEQUENCE, info)
                .raw(Oids.AUTH_ENVELOPED_DATA)
                .head(constructed(0), sizeOf(data))
                .head(SEQUENCE, data)
                .raw(VERSION_0)
                .raw(recipientInfos)
                .head(SEQUENCE, encryptedContent)
                .raw(Oids.DATA)
                .head(SEQUENCE, ALGORITHM)
                .raw(Oids.AES_256_GCM)
                .head(SEQUENCE, PARAMETERS)
                .raw(element(OCTET_STRING, use.nonce()))
                .raw(TAG_LENGTH)
                .head(primitive(0), contentLength);
        this.contentStart = writer.position();
        this.contentLength = contentLength;
    }

    /** The writer, positioned at the content. */
    public DerWriter content() {
        return writer;
    }

    /** Encrypts the content in place and completes the envelope. */
    public Slice seal(KeyLease use, ContentCipher cipher) {
        byte[] array = writer.array();
        cipher.encrypt(use, array, contentStart, contentLength);
        // The cipher puts the tag right behind the ciphertext; two bytes of tag and length belong between them.
        int end = contentStart + contentLength;
        System.arraycopy(array, end, array, end + TAG_SIZE - ContentCipher.TAG_LENGTH, ContentCipher.TAG_LENGTH);
        return writer.head(OCTET_STRING, ContentCipher.TAG_LENGTH)
                .skip(ContentCipher.TAG_LENGTH)
                .whole();
    }
}
