/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyTransport;

/** A recipient with an RSA key: KeyTransRecipientInfo with RSAES-OAEP-SHA-256 (RFC 5652 section 6.2.1, RFC 4056). */
final class RsaRecipient implements RecipientWrapping.Group {
    private static final byte[] VERSION_2 = {INTEGER, 1, 2};

    private final PublicKey key;
    private final KeyTransport transport;
    private final byte[] head;

    RsaRecipient(Recipient recipient, RSAPublicKey key, KeyTransport transport) {
        this.transport = transport;
        this.key = transport.converted(key);
        byte[] identifier = element(primitive(0), recipient.keyIdentifier().bytes());
        this.head = DerWriter.concat(VERSION_2, identifier, Oids.OAEP_SHA_256);
    }

    @Override
    public byte[] recipientInfo(DataKey dataKey) {
        return element(SEQUENCE, head, element(OCTET_STRING, transport.wrap(key, dataKey)));
    }
}
