/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.CRLReason;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The revocation lists of a home. A home without lists revokes nothing; a list that is past its next update still
 * revokes what it names; a list that its issuer's key did not sign revokes nothing; a file that cannot be read refuses
 * every certificate, since it could have named any. Thread-safe.
 */
final class RevocationLists {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationLists.class);

    private final Map<X500Principal, List<X509CRL>> byIssuer;
    private final List<String> unreadable;
    private final Set<X509CRL> complainedAbout = ConcurrentHashMap.newKeySet();

    RevocationLists(Collection<X509CRL> lists, List<String> unreadable) {
        this.byIssuer = lists.stream().collect(Collectors.groupingBy(X509CRL::getIssuerX500Principal));
        this.unreadable = List.copyOf(unreadable);
    }

    /** Refuses a revoked certificate, whose issuer may be among the candidates. */
    void requireNotRevoked(X509Certificate certificate, Collection<X509Certificate> issuers, Instant at) {
        if (!unreadable.isEmpty()) {
            throw CertificateRules.rejected(
                    Reason.REVOKED, certificate, "may be revoked, since a list cannot be read: " + unreadable.get(0));
        }
        for (X509CRL list : byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
            X509CRLEntry entry = list.getRevokedCertificate(certificate);
            if (entry == null || entry.getRevocationReason() == CRLReason.REMOVE_FROM_CRL) {
                continue;
            }
            if (!isGenuine(list, certificate, issuers)) {
                complain(list, "is not signed by the issuer that it names and is not used");
                continue;
            }
            if (list.getNextUpdate() != null && at.isAfter(list.getNextUpdate().toInstant())) {
                complain(
                        list,
                        "should have been replaced on " + list.getNextUpdate().toInstant());
            }
            throw CertificateRules.rejected(
                    Reason.REVOKED,
                    certificate,
                    "revoked on " + entry.getRevocationDate().toInstant());
        }
    }

    /** Whether the very key that signed the certificate signed the list; names alone prove nothing. */
    private static boolean isGenuine(
            X509CRL list, X509Certificate certificate, Collection<X509Certificate> candidates) {
        return candidates.stream()
                .filter(issuer -> issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
                .filter(IssuerRules::maySignLists)
                .anyMatch(issuer -> CertificateProviders.isSignedBy(list, issuer.getPublicKey())
                        && CertificateProviders.isSignedBy(certificate, issuer.getPublicKey()));
    }

    private void complain(X509CRL list, String problem) {
        if (complainedAbout.add(list)) {
            LOG.warn(
                    "revocation list of {} from {} {}",
                    list.getIssuerX500Principal().getName(),
                    list.getThisUpdate().toInstant(),
                    problem);
        }
    }
}
