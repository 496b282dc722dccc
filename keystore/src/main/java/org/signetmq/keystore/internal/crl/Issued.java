/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crl;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** A certificate and its issuer, whose key verified its signature. */
public record Issued(X509Certificate certificate, X509Certificate issuer) {
    /** Returns the members of a valid path that have an issuer in it. A trusted certificate alone has none. */
    public static List<Issued> of(List<X509Certificate> path) {
        List<Issued> members = new ArrayList<>();
        for (int i = 0; i + 1 < path.size(); i++) {
            members.add(new Issued(path.get(i), path.get(i + 1)));
        }
        return List.copyOf(members);
    }
}
