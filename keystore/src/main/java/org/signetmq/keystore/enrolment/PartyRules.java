/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificatePaths;
import org.signetmq.keystore.internal.x509.CertificateRules;

/** The rules for a certificate from elsewhere, apart from the trust in it. */
final class PartyRules {
    private PartyRules() {}

    /** Rejects a certificate that no party can use now, whatever the home trusts. */
    static void require(X509Certificate certificate, Instant now) {
        requireAuthority(certificate, now); // the rules for both
        CertificateRules.requireMailPurpose(certificate);
        CertificateRules.requireIdentifier(certificate);
        if (!CertificateRules.isFor(certificate, CertificateUse.SIGNING)
                && !CertificateRules.isFor(certificate, CertificateUse.RECEIVING)) {
            CertificateRules.requireUsage(certificate, CertificateUse.SIGNING);
        }
    }

    /** Rejects an issuing certificate that is too weak, has ended, or cannot be shown. */
    static void requireAuthority(X509Certificate certificate, Instant now) {
        requireReadableName(certificate);
        CertificateRules.requireKey(certificate);
        CertificateRules.requireDates(certificate, now);
        CertificateRules.requireExtensions(certificate);
    }

    /** Rejects a name that cannot be shown. */
    static void requireReadableName(X509Certificate certificate) {
        if (!DistinguishedName.isReadable(certificate.getSubjectX500Principal())) {
            throw new KeystoreUnusableException("certificate with serial number "
                    + certificate.getSerialNumber().toString(16)
                    + ": its distinguished name is empty, or has characters that are invisible or ambiguous");
        }
    }

    /**
     * Returns the certificate, then its issuers as far as the others have them.
     *
     * @throws KeystoreUnusableException if there are more issuers than consumers follow
     */
    static List<X509Certificate> chain(X509Certificate leaf, Collection<X509Certificate> others) {
        List<X509Certificate> chain = CertificatePaths.chain(leaf, others, CertificatePaths.MAX_ISSUERS + 1);
        if (chain.size() > CertificatePaths.MAX_ISSUERS + 1) {
            throw new KeystoreUnusableException("chain: more than " + CertificatePaths.MAX_ISSUERS + " issuers");
        }
        return chain;
    }

    /** Tells whether the certificate belongs to an issuer of others, and not to a party. */
    static boolean isAuthority(X509Certificate certificate) {
        return CertificateRules.mayIssue(certificate) && !CertificateRules.isIdentityThatIssues(certificate);
    }
}
