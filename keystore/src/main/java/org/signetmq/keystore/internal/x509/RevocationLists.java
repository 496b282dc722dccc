/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

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
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.PublicKeyInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The revocation lists of a home. A home without lists revokes nothing. A list after its next update still revokes its
 * entries. A list without its issuer's signature revokes nothing. An unreadable file rejects all certificates, because
 * it may name any of them. Thread-safe.
 */
public final class RevocationLists {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationLists.class);

    private final Map<X500Principal, List<X509CRL>> byIssuer;
    private final List<String> unreadable;
    private final Map<X500Principal, List<X509Certificate>> known;
    private final Map<X509CRL, PublicKeyInfo> genuine = new ConcurrentHashMap<>();
    private final Set<X509CRL> complainedAbout = ConcurrentHashMap.newKeySet();

    /**
     * Creates the lists of a home.
     *
     * @param unreadable the problems of unreadable files
     * @param known certificates of the home that may have issued others
     */
    public RevocationLists(Collection<X509CRL> lists, List<String> unreadable, Collection<X509Certificate> known) {
        this.byIssuer = lists.stream().collect(Collectors.groupingBy(X509CRL::getIssuerX500Principal));
        this.unreadable = List.copyOf(unreadable);
        this.known = known.stream().collect(Collectors.groupingBy(X509Certificate::getSubjectX500Principal));
    }

    /** Rejects a path with a revoked member. The caller has verified the signatures of the path. */
    public void requireNotRevoked(List<X509Certificate> path, Instant at, VerificationBudget budget) {
        for (int i = 0; i < path.size(); i++) {
            X509Certificate issuer = i + 1 < path.size() ? path.get(i + 1) : null;
            requireNotRevoked(path.get(i), issuer, at, budget);
        }
    }

    private void requireNotRevoked(
            X509Certificate certificate, @Nullable X509Certificate issuer, Instant at, VerificationBudget budget) {
        if (!unreadable.isEmpty()) {
            throw CertificateRules.rejected(
                    Reason.REVOKED, certificate, "may be revoked, since a list cannot be read: " + unreadable.get(0));
        }
        for (X509CRL list : byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
            X509CRLEntry entry = list.getRevokedCertificate(certificate);
            if (entry == null || entry.getRevocationReason() == CRLReason.REMOVE_FROM_CRL) {
                continue;
            }
            boolean applies = issuer != null
                    ? IssuerRules.maySignLists(issuer) && isSignedBy(list, issuer, budget)
                    : isSignedByKnownIssuer(list, certificate, budget);
            if (!applies) {
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

    /** Tells whether one key signed both the certificate and the list, because names prove nothing. */
    private boolean isSignedByKnownIssuer(X509CRL list, X509Certificate certificate, VerificationBudget budget) {
        for (X509Certificate issuer : known.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
            // an identity that is its own issuer may always revoke itself
            boolean mayRevoke = IssuerRules.maySignLists(issuer) || issuer.equals(certificate);
            if (mayRevoke && isSignedBy(list, issuer, budget)) {
                spend(certificate, budget);
                if (CertificateProviders.isSignedBy(certificate, issuer.getPublicKey())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Tells whether the issuer signed the list, and remembers the key of the list. */
    private boolean isSignedBy(X509CRL list, X509Certificate issuer, VerificationBudget budget) {
        PublicKeyInfo key = PublicKeyInfo.of(issuer);
        PublicKeyInfo signer = genuine.get(list);
        if (signer != null && signer.equals(key)) {
            return true;
        }
        spend(issuer, budget);
        if (!CertificateProviders.isSignedBy(list, issuer.getPublicKey())) {
            return false;
        }
        genuine.put(list, key);
        return true;
    }

    private static void spend(X509Certificate certificate, VerificationBudget budget) {
        if (!budget.spend(1)) {
            throw CertificateRules.rejected(
                    Reason.REVOKED, certificate, "may be revoked: to find out costs too many verifications");
        }
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
