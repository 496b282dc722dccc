/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.PublicKeyInfo;

/**
 * Finds paths to trusted certificates. The search goes from issuer to issuer and never back, so a message with more
 * certificates does not cost more. Immutable.
 */
public final class CertificatePaths {
    /** The most issuers in a path, the trusted one included. */
    static final int MAX_ISSUERS = 4;

    /** The most other certificates beside the one to be judged. */
    static final int MAX_OTHERS = 4;

    private final CertificatePool pool;

    public CertificatePaths(Set<X509Certificate> trusted, Collection<X509Certificate> helpful) {
        this.pool = new CertificatePool(trusted, helpful);
    }

    /**
     * Finds the path from the certificate to a trusted one, both included.
     *
     * @throws CertificateRejectedException if there is no path, or a rule rejects a member
     */
    public List<X509Certificate> find(TrustRequest request, VerificationBudget budget) {
        X509Certificate certificate = request.certificate();
        List<X509Certificate> others = distinct(certificate, request.others());
        if (others.size() > MAX_OTHERS) {
            throw CertificateRules.untrusted(certificate, "comes with more than " + MAX_OTHERS + " other certificates");
        }
        List<X509Certificate> path = search(request, others, budget);
        for (X509Certificate member : path) {
            CertificateRules.requireDates(member, request.at());
        }
        PathValidation.require(path, request.at(), budget);
        NameConstraintCheck.require(
                path); // after the proof of the issuers, because it compares each name with each constraint
        return path;
    }

    /** Returns the other certificates, one for each name and key. */
    private static List<X509Certificate> distinct(X509Certificate certificate, Collection<X509Certificate> others) {
        Map<Member, X509Certificate> distinct = new LinkedHashMap<>();
        Member itself = Member.of(certificate);
        for (X509Certificate other : others) {
            Member member = Member.of(other);
            if (!member.equals(itself)) {
                distinct.putIfAbsent(member, other);
            }
        }
        return List.copyOf(distinct.values());
    }

    private List<X509Certificate> search(
            TrustRequest request, List<X509Certificate> carried, VerificationBudget budget) {
        IssuerCandidates candidates = new IssuerCandidates(pool, request.at());
        List<X509Certificate> path = new ArrayList<>(List.of(request.certificate()));
        Set<Member> passed = new HashSet<>();
        while (!pool.isEmpty() && path.size() <= MAX_ISSUERS) {
            X509Certificate last = path.get(path.size() - 1);
            passed.add(Member.of(last));
            KeyRules.signatureProblem(last).ifPresent(problem -> {
                throw CertificateRules.untrusted(last, problem);
            });
            List<X509Certificate> possible = candidates.of(last, carried).stream()
                    .filter(candidate -> !passed.contains(Member.of(candidate)))
                    .toList();
            Optional<X509Certificate> issuer = issuer(path, possible, budget);
            if (issuer.isEmpty()) {
                break;
            }
            path.add(issuer.get());
            if (pool.isAnchor(issuer.get())) {
                return path;
            }
        }
        throw CertificateRules.untrusted(
                request.certificate(),
                "not trusted itself, and no valid path of at most " + MAX_ISSUERS
                        + " issuers leads from it to a trusted certificate");
    }

    /**
     * Returns the next member of a path. It does not verify the last candidate, because {@link PathValidation} verifies
     * the whole path. It leaves enough of the budget for that.
     */
    private static Optional<X509Certificate> issuer(
            List<X509Certificate> path, List<X509Certificate> candidates, VerificationBudget budget) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        X509Certificate certificate = path.get(path.size() - 1);
        int last = candidates.size() - 1;
        for (X509Certificate candidate : candidates.subList(0, last)) {
            if (!budget.leavesAfterOne(path.size()) || !budget.spend(1)) {
                return Optional.empty();
            }
            if (CertificateProviders.isSignedBy(certificate, candidate.getPublicKey())) {
                return Optional.of(candidate);
            }
        }
        return Optional.of(candidates.get(last));
    }

    /** The name and key of a certificate. Two certificates with the same lead to the same path. */
    private record Member(X500Principal name, PublicKeyInfo key) {
        static Member of(X509Certificate certificate) {
            return new Member(certificate.getSubjectX500Principal(), PublicKeyInfo.of(certificate));
        }
    }
}
