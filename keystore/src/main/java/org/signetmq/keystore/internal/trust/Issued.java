/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.IntStream;
import org.signetmq.keystore.PublicKeyInfo;

/** A certificate and its issuer, whose key verified its signature. */
public record Issued(X509Certificate certificate, X509Certificate issuer) {
    /** The issuer's key and the serial number of a certificate, by which OCSP names it. */
    record Id(PublicKeyInfo issuer, BigInteger serialNumber) {}

    Id id() {
        return new Id(PublicKeyInfo.of(issuer), certificate.getSerialNumber());
    }

    /** Returns the members of a valid path that have an issuer in it. A trusted certificate alone has none. */
    public static List<Issued> of(List<X509Certificate> path) {
        return IntStream.range(1, path.size())
                .mapToObj(i -> new Issued(path.get(i - 1), path.get(i)))
                .toList();
    }
}
