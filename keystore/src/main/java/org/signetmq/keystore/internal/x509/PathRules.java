/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.List;
import org.signetmq.keystore.CertificateUse;

/** Rules for the members of a path that the JDK does not know, or does not apply to the trusted certificate. */
final class PathRules {
    private PathRules() {}

    static void require(List<X509Certificate> path) {
        X509Certificate anchor = path.get(path.size() - 1);
        // the JDK leaves out the trusted end
        if (path.size() > 1 && path.size() - 2 > anchor.getBasicConstraints()) {
            throw CertificateRules.untrusted(
                    path.get(0), "has more issuers than the path length of the trusted one allows");
        }
        for (X509Certificate member : path) {
            CertificateRules.requireKey(member, CertificateUse.SIGNING);
            CertificateRules.requireExtensions(member);
            CertificateRules.requireFewPolicies(member);
            CertificateRules.requireMailPurpose(member);
        }
    }
}
