/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.cert.X509Certificate;
import org.signetmq.keystore.KeyIdentifier;

/**
 * The two ways in which an envelope can name the holder of a certificate, encoded once.
 *
 * @param keyIdentifier the content of the subject key identifier
 * @param issuerAndSerial the IssuerAndSerialNumber whole
 */
public record PartyNames(byte[] keyIdentifier, byte[] issuerAndSerial) {
    public static PartyNames of(X509Certificate certificate) {
        byte[] issuer = certificate.getIssuerX500Principal().getEncoded(); // as it stands: nobody vouches for it yet
        byte[] serial = element(INTEGER, certificate.getSerialNumber().toByteArray());
        return new PartyNames(KeyIdentifier.of(certificate).bytes(), element(SEQUENCE, issuer, serial));
    }
}
