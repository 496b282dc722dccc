/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;

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

    boolean hasAnchor(X500Principal name) {
        return bySubject.getOrDefault(name, List.of()).stream().anyMatch(this::isAnchor);
    }

    /** Returns the issuers with this name, the trusted ones first. */
    List<X509Certificate> named(X500Principal subject) {
        return bySubject.getOrDefault(subject, List.of());
    }
}
