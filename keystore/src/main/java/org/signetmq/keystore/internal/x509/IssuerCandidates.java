/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PublicKeyInfo;

/** Orders the possible issuers of a certificate by names and identifiers. It verifies no signature. */
final class IssuerCandidates {
    private final CertificatePool pool;
    private final Instant at;

    IssuerCandidates(CertificatePool pool, Instant at) {
        this.pool = pool;
        this.at = at;
    }

    /** Returns one candidate for each key, the likeliest first. */
    List<X509Certificate> of(X509Certificate certificate, List<X509Certificate> carried) {
        Map<PublicKeyInfo, X509Certificate> best = new HashMap<>();
        List<X509Certificate> known = pool.named(certificate.getIssuerX500Principal());
        known.forEach(candidate -> best.merge(PublicKeyInfo.of(candidate), candidate, this::better));
        carried.stream()
                .filter(candidate -> candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
                .filter(IssuerRules::mayIssue)
                .forEach(candidate -> best.merge(PublicKeyInfo.of(candidate), candidate, this::better));
        KeyIdentifier wanted = KeyIdentifier.ofIssuer(certificate).orElse(null);
        return best.values().stream()
                .filter(candidate ->
                        KeyRules.problem(candidate, CertificateUse.SIGNING).isEmpty())
                .sorted(Comparator.<X509Certificate>comparingInt(candidate -> distance(candidate, wanted))
                        .thenComparing(candidate -> !pool.isAnchor(candidate))
                        .thenComparing(candidate -> !known.contains(candidate)))
                .toList();
    }

    /** Returns the one of two certificates with the same key and name that likelier leads to a trusted certificate. */
    private X509Certificate better(X509Certificate one, X509Certificate other) {
        return rank(other) > rank(one) ? other : one;
    }

    private int rank(X509Certificate certificate) {
        int dated = CertificateRules.isInDate(certificate, at) ? 1 : 0;
        if (pool.isAnchor(certificate)) {
            return 3 + dated;
        }
        boolean near = !IssuerRules.isSelfIssued(certificate) && pool.hasAnchor(certificate.getIssuerX500Principal());
        return (near ? 1 : 0) + dated;
    }

    /** Returns 0 if the certificate names this issuer's key, 1 if it names no key, and 2 if it names another key. */
    private static int distance(X509Certificate candidate, @Nullable KeyIdentifier wanted) {
        if (wanted == null) {
            return 1;
        }
        return KeyIdentifier.of(candidate).equals(wanted) ? 0 : 2;
    }
}
