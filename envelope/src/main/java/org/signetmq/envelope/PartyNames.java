/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.x500.X500Name;
import org.signetmq.keystore.KeyIdentifier;

/**
 * The two ways in which an envelope can name the holder of a certificate, encoded once.
 *
 * @param keyIdentifier the content of the subject key identifier
 * @param issuerAndSerial the IssuerAndSerialNumber whole
 */
record PartyNames(byte[] keyIdentifier, byte[] issuerAndSerial) {
    static PartyNames of(X509Certificate certificate) {
        X500Name issuer =
                X500Name.getInstance(certificate.getIssuerX500Principal().getEncoded());
        try {
            byte[] encoded = new IssuerAndSerialNumber(issuer, certificate.getSerialNumber()).getEncoded();
            return new PartyNames(KeyIdentifier.of(certificate).bytes(), encoded);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
