/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;

/** The rules for certificates that sign other certificates or revocation lists. */
public final class IssuerRules {
    private static final int DIGITAL_SIGNATURE = 0;
    private static final int KEY_ENCIPHERMENT = 2;
    private static final int KEY_AGREEMENT = 4;
    private static final int KEY_CERT_SIGN = 5;
    private static final int CRL_SIGN = 6;

    private IssuerRules() {}

    public static boolean mayIssue(X509Certificate certificate) {
        return certificate.getBasicConstraints() >= 0 && hasUsage(certificate, KEY_CERT_SIGN);
    }

    /**
     * Tells whether the certificate belongs to an ordinary identity but may issue certificates. Signet created all
     * identities so before it had issuing identities. An issuing identity has no other key usage, or it is a root
     * without a limit of its path length.
     */
    public static boolean isIdentityThatIssues(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        if (usage == null || !mayIssue(certificate) || !isSelfIssued(certificate)) {
            return false;
        }
        return usage[KEY_ENCIPHERMENT]
                || usage[KEY_AGREEMENT]
                || (usage[DIGITAL_SIGNATURE] && certificate.getBasicConstraints() == 0);
    }

    /** Tells whether the certificate names itself as its issuer. */
    public static boolean isSelfIssued(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    public static boolean maySignLists(X509Certificate certificate) {
        return hasUsage(certificate, CRL_SIGN) || mayIssue(certificate);
    }

    private static boolean hasUsage(X509Certificate certificate, int bit) {
        boolean[] usage = certificate.getKeyUsage();
        return usage == null || usage[bit];
    }
}
