/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.signetmq.keystore.CertificateRejectedException.Reason;

/** Finds PKIX paths (RFC 5280 section 6) to trusted certificates. Immutable. */
final class CertificatePaths {
    private static final int MAX_LENGTH = 8;

    /** A message brings its signer's chain, not a haystack for us to search. */
    private static final int MAX_OTHERS = 64;

    private final Set<TrustAnchor> anchors;
    private final Collection<X509Certificate> known;

    CertificatePaths(Collection<X509Certificate> trusted, Collection<X509Certificate> known) {
        // the JDK would let a trusted leaf issue others
        this.anchors = trusted.stream()
                .filter(IssuerRules::mayIssue)
                .map(certificate -> new TrustAnchor(certificate, null))
                .collect(Collectors.toUnmodifiableSet());
        this.known = List.copyOf(known);
    }

    /** Certificates that help to build paths and prove revocation lists. */
    Collection<X509Certificate> known() {
        return known;
    }

    /**
     * The path from the certificate to a trusted one, both included.
     *
     * @throws CertificateRejectedException if there is none, or one of its members is not good enough
     */
    List<X509Certificate> find(X509Certificate certificate, Collection<X509Certificate> others, Instant at) {
        if (others.size() > MAX_OTHERS) {
            throw CertificateRules.rejected(
                    Reason.UNTRUSTED, certificate, "comes with " + others.size() + " other certificates");
        }
        List<X509Certificate> path = build(certificate, others, at);
        if (path.isEmpty()) {
            // perhaps there is a path of which only the dates are wrong: say which
            Instant issued = certificate.getNotBefore().toInstant();
            build(certificate, others, issued).forEach(member -> CertificateRules.requireDates(member, at));
            throw CertificateRules.rejected(
                    Reason.UNTRUSTED,
                    certificate,
                    "not trusted itself, and no valid path leads from its issuer "
                            + certificate.getIssuerX500Principal().getName() + " to a trusted certificate");
        }
        X509Certificate anchor = path.get(path.size() - 1);
        if (path.size() - 2 > anchor.getBasicConstraints()) { // PKIX leaves out the trusted end
            throw CertificateRules.rejected(
                    Reason.UNTRUSTED, certificate, "has more issuers than the path length of the trusted one allows");
        }
        for (X509Certificate member : path) {
            CertificateRules.requireDates(member, at);
            CertificateRules.requireKey(member, CertificateUse.SIGNING);
        }
        for (X509Certificate member : path.subList(0, path.size() - 1)) {
            KeyRules.signatureProblem(member).ifPresent(problem -> {
                throw CertificateRules.rejected(Reason.UNTRUSTED, member, problem);
            });
        }
        return path;
    }

    private List<X509Certificate> build(X509Certificate certificate, Collection<X509Certificate> others, Instant at) {
        if (anchors.isEmpty()) {
            return List.of();
        }
        List<X509Certificate> pool = new ArrayList<>(known);
        pool.addAll(others);
        pool.add(certificate);
        X509CertSelector target = new X509CertSelector();
        target.setCertificate(certificate);
        try {
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
            parameters.addCertStore(CertificateProviders.certStore(pool));
            parameters.setDate(Date.from(at));
            parameters.setMaxPathLength(MAX_LENGTH);
            parameters.setRevocationEnabled(false); // RevocationLists does it, without demanding a list of every issuer
            var result = (PKIXCertPathBuilderResult)
                    CertificateProviders.pathBuilder().build(parameters);
            List<X509Certificate> path = new ArrayList<>();
            result.getCertPath().getCertificates().forEach(member -> path.add((X509Certificate) member));
            path.add(result.getTrustAnchor().getTrustedCert());
            return path;
        } catch (CertPathBuilderException e) {
            return List.of();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("pkix: every JDK has it", e);
        }
    }
}
