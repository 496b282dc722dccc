/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;

/** What a certificate must say so that its key may sign others, or revocation lists. */
final class IssuerRules {
    private static final int KEY_CERT_SIGN = 5;
    private static final int CRL_SIGN = 6;

    private IssuerRules() {}

    static boolean mayIssue(X509Certificate certificate) {
        return certificate.getBasicConstraints() >= 0 && hasUsage(certificate, KEY_CERT_SIGN);
    }

    static boolean maySignLists(X509Certificate certificate) {
        return hasUsage(certificate, CRL_SIGN) || mayIssue(certificate);
    }

    private static boolean hasUsage(X509Certificate certificate, int bit) {
        boolean[] usage = certificate.getKeyUsage();
        return usage == null || usage[bit];
    }
}
