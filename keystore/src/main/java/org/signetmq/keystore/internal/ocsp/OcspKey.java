/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.ocsp;

import java.math.BigInteger;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.crl.Issued;

/** The issuer's key and the serial number of a certificate, by which OCSP names it. */
public record OcspKey(PublicKeyInfo issuer, BigInteger serialNumber) {
    public static OcspKey of(Issued issued) {
        return new OcspKey(
                PublicKeyInfo.of(issued.issuer()), issued.certificate().getSerialNumber());
    }
}
