/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The revocation lists of a home. A home without lists revokes nothing. A list after its next update still revokes its
 * entries. A list without its issuer's signature revokes nothing. An unreadable file rejects all certificates, because
 * it may name any of them. Thread-safe.
 */
public final class RevocationLists {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationLists.class);

    /** The time by which the clock of an issuer may be fast. */
    public static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    /** The most issuers of one name whose keys are tried before a message needs them. */
    private static final int MOST_ISSUERS = 8;

    private final Map<X500Principal, List<RevocationList>> byIssuer;
    private final List<String> unreadable;
    private final Map<X500Principal, List<X509Certificate>> known;
    private final Set<RevocationList> complainedAbout = ConcurrentHashMap.newKeySet();

    /**
     * Creates the lists of a home.
     *
     * @param unreadable the problems of unreadable files
     * @param known certificates of the home that may have issued others
     */
    public RevocationLists(
            Collection<RevocationList> lists, List<String> unreadable, Collection<X509Certificate> known) {
        this.byIssuer = lists.stream().collect(Collectors.groupingBy(RevocationList::issuer));
        this.unreadable = List.copyOf(unreadable);
        this.known = known.stream().collect(Collectors.groupingBy(X509Certificate::getSubjectX500Principal));
    }

    /** Verifies the lists of issuers in the home now, so that no message pays for it. Returns this object. */
    public RevocationLists verified() {
        byIssuer.forEach((name, lists) -> known.getOrDefault(name, List.of()).stream()
                .filter(CertificateRules::maySignLists)
                .limit(MOST_ISSUERS)
                .forEach(issuer -> lists.forEach(list -> list.isSignedBy(PublicKeyInfo.of(issuer), issuer))));
        return this;
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
        for (RevocationList list : byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
            Optional<Instant> revocation = list.revocation(certificate.getSerialNumber());
            if (revocation.isEmpty()) {
                continue;
            }
            boolean applies = issuer != null
                    ? CertificateRules.maySignLists(issuer) && isSignedBy(list, issuer, budget)
                    : isSignedByKnownIssuer(list, certificate, budget);
            if (!applies) {
                complain(list, "is not signed by the issuer that it names and is not used");
                continue;
            }
            list.nextUpdate()
                    .filter(at::isAfter)
                    .ifPresent(next -> complain(list, "should have been replaced on " + next));
            throw CertificateRules.rejected(Reason.REVOKED, certificate, "revoked on " + revocation.get());
        }
    }

    /** Tells whether a list of its issuer revokes a certificate for a reason that concerns its key. */
    public boolean revokesKey(Issued issued, VerificationBudget budget) {
        X509Certificate certificate = issued.certificate();
        boolean mayRevoke = CertificateRules.maySignLists(issued.issuer())
                || issued.issuer().equals(certificate);
        return mayRevoke
                && byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of()).stream()
                        .anyMatch(list -> list.revokesKey(certificate.getSerialNumber())
                                && isSignedBy(list, issued.issuer(), budget));
    }

    /**
     * Returns the end of the time for which a list proves that the issuer did not revoke the certificate. Empty if no
     * list of the issuer is complete, signed and in date. The caller has called {@link #requireNotRevoked}.
     *
     * @param points the addresses of lists that the certificate names
     */
    public Optional<Instant> provenUntil(Issued issued, Set<String> points, Instant at, VerificationBudget budget) {
        Instant until = null;
        if (CertificateRules.mayProveByLists(issued.issuer())) {
            X509Certificate certificate = issued.certificate();
            for (RevocationList list : byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
                Instant next = list.nextUpdate().orElse(Instant.MIN);
                boolean later = until == null || next.isAfter(until);
                if (later
                        && !at.isAfter(next)
                        && !at.plus(CLOCK_SKEW).isBefore(list.thisUpdate())
                        && list.covers(certificate, points)
                        && isSignedBy(list, issued.issuer(), budget)) {
                    until = next;
                }
            }
        }
        return Optional.ofNullable(until);
    }

    /** Tells whether there is a list in the name of this certificate's issuer, whatever it is worth. */
    public boolean hasListFor(X509Certificate certificate) {
        return byIssuer.containsKey(certificate.getIssuerX500Principal());
    }

    /** Returns the end of the latest list in the name of an issuer, whatever it is worth. Empty if there is none. */
    public Optional<Instant> endOfLists(X500Principal issuer) {
        return byIssuer.getOrDefault(issuer, List.of()).stream()
                .map(list -> list.nextUpdate().orElse(list.thisUpdate()))
                .max(Comparator.naturalOrder());
    }

    /** Tells whether one key signed both the certificate and the list, because names prove nothing. */
    private boolean isSignedByKnownIssuer(RevocationList list, X509Certificate certificate, VerificationBudget budget) {
        for (X509Certificate issuer : known.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
            // an identity that is its own issuer may always revoke itself
            boolean mayRevoke = CertificateRules.maySignLists(issuer) || issuer.equals(certificate);
            if (mayRevoke && isSignedBy(list, issuer, budget)) {
                spend(certificate, budget);
                if (CertificateProviders.isSignedBy(certificate, issuer.getPublicKey())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Tells whether the issuer signed the list. The list remembers the key. */
    private static boolean isSignedBy(RevocationList list, X509Certificate issuer, VerificationBudget budget) {
        PublicKeyInfo key = PublicKeyInfo.of(issuer);
        if (!list.isKnownBy(key)) {
            spend(issuer, budget);
        }
        return list.isSignedBy(key, issuer);
    }

    private static void spend(X509Certificate certificate, VerificationBudget budget) {
        if (!budget.spend(1)) {
            throw CertificateRules.rejected(
                    Reason.REVOKED, certificate, "may be revoked: to find out costs too many verifications");
        }
    }

    private void complain(RevocationList list, String problem) {
        if (complainedAbout.add(list)) {
            LOG.warn(
                    "revocation list of {} from {} {}",
                    DistinguishedName.shown(list.issuer()),
                    list.thisUpdate(),
                    PrintableText.of(problem));
        }
    }
}
