/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.signetmq.envelope.DerReader.INTEGER;
import static org.signetmq.envelope.DerReader.OCTET_STRING;
import static org.signetmq.envelope.DerReader.SEQUENCE;
import static org.signetmq.envelope.DerReader.constructed;
import static org.signetmq.envelope.DerReader.primitive;
import static org.signetmq.envelope.DerWriter.element;

import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyTransport;

/** A recipient with an RSA key: KeyTransRecipientInfo with RSAES-OAEP-SHA-256 (RFC 5652 section 6.2.1, RFC 4056). */
final class RsaRecipient implements RecipientGroup {
    /** As we write it and OpenSSL does: the hash without parameters (RFC 5754 section 2). */
    static final byte[] OAEP_SHA_256 = oaep(new byte[0]);

    /** As others do: with NULL (RFC 4055 section 2.1). */
    static final byte[] OAEP_SHA_256_NULL = oaep(Oids.NULL);

    private static final byte[] VERSION_2 = {INTEGER, 1, 2};

    /** RSAES-OAEP-params (RFC 4055 section 4.1): SHA-256 for both hash and mask, no label. */
    private static byte[] oaep(byte[] hashParameters) {
        byte[] hash = element(SEQUENCE, Oids.SHA_256, hashParameters);
        byte[] mask = element(SEQUENCE, Oids.MGF1, hash);
        byte[] parameters = element(SEQUENCE, element(constructed(0), hash), element(constructed(1), mask));
        return element(SEQUENCE, Oids.RSA_OAEP, parameters);
    }

    private final PublicKey key;
    private final byte[] head;
    private final int size;

    RsaRecipient(Recipient recipient) {
        this.key = recipient.certificate().getPublicKey();
        byte[] identifier = element(primitive(0), recipient.keyIdentifier().bytes());
        this.head = DerWriter.concat(VERSION_2, identifier, OAEP_SHA_256);
        if (!(key instanceof RSAPublicKey rsa)) {
            throw new KeystoreUnusableException("recipient '" + recipient.name() + "': not an RSA key");
        }
        int wrapped = (rsa.getModulus().bitLength() + Byte.SIZE - 1) / Byte.SIZE;
        this.size = DerWriter.sizeOf(head.length + DerWriter.sizeOf(wrapped));
    }

    @Override
    public byte[] recipientInfo(DataKey dataKey) {
        return element(SEQUENCE, head, element(OCTET_STRING, KeyTransport.wrap(key, dataKey)));
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void close() {
        // holds no secret
    }
}
