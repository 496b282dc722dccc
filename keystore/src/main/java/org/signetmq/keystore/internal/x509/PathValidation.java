/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.signetmq.keystore.CertificateUse;

/** Validates one path by PKIX (RFC 5280 section 6) with the JDK's validator, and by rules that the validator lacks. */
final class PathValidation {
    private PathValidation() {}

    /** Rejects an invalid path. Costs one signature verification for each issuer. */
    static void require(List<X509Certificate> path, Instant at, VerificationBudget budget) {
        requireMembers(path);
        int last = path.size() - 1;
        if (!budget.spend(last)) {
            throw CertificateRules.untrusted(path.get(0), "its path costs too many verifications");
        }
        try {
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(path.get(last), null)));
            parameters.setDate(Date.from(at));
            parameters.setPolicyMappingInhibited(
                    true); // Signet requires no policy, and mappings make the tree of policies large
            parameters.setRevocationEnabled(false); // RevocationLists checks it, and needs no list of each issuer
            var unused = CertificateProviders.pathValidator()
                    .validate(CertificateProviders.path(path.subList(0, last)), parameters);
        } catch (CertPathValidatorException | InvalidAlgorithmParameterException invalid) {
            throw CertificateRules.untrusted(
                    path.get(0),
                    "not trusted itself, and the path from its issuer to a trusted certificate is not valid");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("pkix: every JDK has it", e);
        }
    }

    private static void requireMembers(List<X509Certificate> path) {
        X509Certificate anchor = path.get(path.size() - 1);
        // the JDK does not check the trusted certificate
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
