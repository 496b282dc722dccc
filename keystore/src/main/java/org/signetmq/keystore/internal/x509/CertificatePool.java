/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PublicKeyInfo;

/** The issuers of a home by their names. Immutable. */
final class CertificatePool {
    private final Set<X509Certificate> anchors;
    private final Map<X500Principal, List<X509Certificate>> bySubject = new HashMap<>();

    /**
     * Creates a pool.
     *
     * @param trusted certificates that end a path if they may issue others
     * @param helpful certificates that may stand in the middle of a path
     */
    CertificatePool(Set<X509Certificate> trusted, Collection<X509Certificate> helpful) {
        // a trusted certificate of an end entity ends no path but its own
        this.anchors = Set.copyOf(trusted.stream().filter(IssuerRules::mayIssue).toList());
        Stream.concat(anchors.stream(), helpful.stream().filter(certificate -> !anchors.contains(certificate)))
                .filter(IssuerRules::mayIssue)
                .forEach(certificate -> bySubject
                        .computeIfAbsent(certificate.getSubjectX500Principal(), any -> new ArrayList<>())
                        .add(certificate));
    }

    boolean isAnchor(X509Certificate certificate) {
        return anchors.contains(certificate);
    }

    boolean isEmpty() {
        return anchors.isEmpty();
    }

    private boolean hasAnchor(X500Principal name) {
        return bySubject.getOrDefault(name, List.of()).stream().anyMatch(this::isAnchor);
    }

    /**
     * Returns the possible issuers of a certificate by names and identifiers: one for each key, the likeliest first. It
     * verifies no signature.
     */
    List<X509Certificate> candidates(X509Certificate certificate, List<X509Certificate> carried, Instant at) {
        Map<PublicKeyInfo, X509Certificate> best = new HashMap<>();
        List<X509Certificate> known = bySubject.getOrDefault(certificate.getIssuerX500Principal(), List.of());
        Stream<X509Certificate> fitting = carried.stream()
                .filter(candidate -> candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
                .filter(IssuerRules::mayIssue);
        Stream.concat(known.stream(), fitting)
                .forEach(candidate -> best.merge(
                        PublicKeyInfo.of(candidate),
                        candidate,
                        (one, other) -> rank(other, at) > rank(one, at) ? other : one));
        KeyIdentifier wanted = KeyIdentifier.ofIssuer(certificate).orElse(null);
        return best.values().stream()
                .filter(candidate ->
                        KeyRules.problem(candidate, CertificateUse.SIGNING).isEmpty())
                .sorted(Comparator.<X509Certificate>comparingInt(candidate -> distance(candidate, wanted))
                        .thenComparing(candidate -> !isAnchor(candidate))
                        .thenComparing(candidate -> !known.contains(candidate)))
                .toList();
    }

    /** Returns the rank of a certificate among those with the same key and name: how likely it leads to an anchor. */
    private int rank(X509Certificate certificate, Instant at) {
        int dated = CertificateRules.isInDate(certificate, at) ? 1 : 0;
        if (isAnchor(certificate)) {
            return 3 + dated;
        }
        boolean near = !IssuerRules.isSelfIssued(certificate) && hasAnchor(certificate.getIssuerX500Principal());
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
