/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One state of trust and its answers so far; a change of any file makes a new one, with no answers. Thread-safe. */
final class TrustState {
    private static final int MAX_ANSWERS = 4096;
    private static final Duration REMEMBER = Duration.ofMinutes(1);

    private record Question(X509Certificate certificate, CertificateUse use) {}

    private record Accepted(Instant from, Instant until) {
        boolean covers(Instant at) {
            return !at.isBefore(from) && !at.isAfter(until);
        }
    }

    private final long version;
    private final Set<X509Certificate> trusted;
    private final CertificatePaths paths;
    private final RevocationLists revocations;
    private final ConcurrentHashMap<Question, Accepted> accepted = new ConcurrentHashMap<>();

    TrustState(long version, Set<X509Certificate> trusted, CertificatePaths paths, RevocationLists revocations) {
        this.version = version;
        this.trusted = Set.copyOf(trusted);
        this.paths = paths;
        this.revocations = revocations;
    }

    long version() {
        return version;
    }

    void check(X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        Question question = new Question(certificate, use);
        Accepted known = accepted.get(question);
        if (known != null && known.covers(at)) {
            return;
        }
        List<X509Certificate> path = validate(certificate, others, use, at);
        if (accepted.size() >= MAX_ANSWERS) {
            accepted.clear();
        }
        accepted.put(question, new Accepted(at, until(path, at)));
    }

    private List<X509Certificate> validate(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        CertificateRules.requireKey(certificate, use);
        CertificateRules.requireDates(certificate, at);
        CertificateRules.requireUsage(certificate, use);
        List<X509Certificate> path =
                trusted.contains(certificate) ? List.of(certificate) : paths.find(certificate, others, at);
        List<X509Certificate> issuers = new ArrayList<>(paths.known());
        issuers.addAll(path);
        path.forEach(member -> revocations.requireNotRevoked(member, issuers, at));
        return path;
    }

    private static Instant until(List<X509Certificate> path, Instant at) {
        return path.stream()
                .map(member -> member.getNotAfter().toInstant())
                .reduce(at.plus(REMEMBER), (one, other) -> one.isBefore(other) ? one : other);
    }
}
