/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.cert.X509Certificate;
import org.signetmq.keystore.KeyIdentifier;

/**
 * The two identifiers of a certificate that an envelope can use, encoded once.
 *
 * @param keyIdentifier the content of the subject key identifier
 * @param issuerAndSerial the whole IssuerAndSerialNumber
 */
public record CertificateIdentifiers(byte[] keyIdentifier, byte[] issuerAndSerial) {
    public static CertificateIdentifiers of(X509Certificate certificate) {
        byte[] issuer =
                certificate.getIssuerX500Principal().getEncoded(); // the envelope holds the same bytes, unverified
        byte[] serial = element(INTEGER, certificate.getSerialNumber().toByteArray());
        return new CertificateIdentifiers(KeyIdentifier.of(certificate).bytes(), element(SEQUENCE, issuer, serial));
    }
}
