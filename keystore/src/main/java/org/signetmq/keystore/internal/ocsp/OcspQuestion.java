/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.ocsp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPRequest;
import org.bouncycastle.asn1.ocsp.Request;
import org.bouncycastle.asn1.ocsp.TBSRequest;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.signetmq.keystore.internal.crl.Issued;

/**
 * A question for the state of one certificate, with a nonce (RFC 8954). Its digests are SHA-1, which all responders
 * know and which protect nothing here.
 *
 * @param nonce owned by this object
 */
public record OcspQuestion(Issued issued, byte[] nonce) {
    private static final int NONCE_BYTES = 32;

    public static OcspQuestion about(Issued issued, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return new OcspQuestion(issued, nonce);
    }

    public byte[] encoded() {
        CertID id = new CertID(
                new AlgorithmIdentifier(OIWObjectIdentifiers.idSHA1, DERNull.INSTANCE),
                new DEROctetString(OcspAnswer.nameHash("SHA-1", issued)),
                new DEROctetString(OcspAnswer.keyHash("SHA-1", issued.issuer())),
                new ASN1Integer(issued.certificate().getSerialNumber()));
        try {
            Extension extension = new Extension(
                    OCSPObjectIdentifiers.id_pkix_ocsp_nonce, false, new DEROctetString(nonce).getEncoded());
            TBSRequest content =
                    new TBSRequest(null, new DERSequence(new Request(id, null)), new Extensions(extension));
            return new OCSPRequest(content, null).getEncoded();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written but memory
        }
    }
}
