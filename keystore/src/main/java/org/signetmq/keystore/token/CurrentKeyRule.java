/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.IssuerRules;

/**
 * Chooses the current one of several keys of an identity by their certificates. It is the key of the first certificate
 * of the home that may sign. If that file begins with an issuer, no other key than the issuer's is the current one. If
 * the home has none, a running program keeps its present key, so no key signs that was only put into the token. Without
 * a present key in the token it is the key with the newest certificate that is already valid. Keys that may sign come
 * before all others.
 *
 * @param home the certificates of the identity in the home
 * @param present the certificates of the keys that this process has until now, the current one first; empty at the
 *     start
 * @param clock tells which certificates are valid
 */
record CurrentKeyRule(NamedCertificates home, List<X509Certificate> present, Clock clock) {
    /**
     * The newest certificate first. Of two entries with the same certificate, that which has it in the token is first.
     */
    static final Comparator<Candidate> NEWEST = Comparator.<Candidate, Instant>comparing(
                    key -> key.certificate().getNotBefore().toInstant())
            .thenComparing(key -> key.certificate().getNotAfter().toInstant())
            .thenComparing(key -> key.certificate().getSerialNumber())
            .thenComparing(key -> key.entry().certificate().equals(key.certificate()))
            .reversed();

    /**
     * A key that may be the current one.
     *
     * @param entry its place in the token
     * @param certificate its certificate. The home may have another one than the token.
     */
    record Candidate(OpenedKey.Entry entry, X509Certificate certificate, PublicKeyInfo key) {
        DistinguishedName owner() {
            return DistinguishedName.of(certificate.getSubjectX500Principal());
        }
    }

    /**
     * Returns the key of an entry; empty if its certificate is malformed. Without a certificate in the home a running
     * program keeps the one that it has, so no program takes a certificate that was only put into the token.
     */
    Optional<Candidate> candidate(OpenedKey.Entry entry) {
        try {
            PublicKeyInfo key = PublicKeyInfo.of(entry.certificate());
            X509Certificate certificate = Stream.concat(home.own().stream(), present.stream())
                    .filter(one -> PublicKeyInfo.of(one).equals(key))
                    .findFirst()
                    .orElse(entry.certificate());
            return Optional.of(new Candidate(entry, certificate, key));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /**
     * Returns the current key; empty if nothing tells which one it is, because the keys belong to different
     * distinguished names, or because the home names an issuer whose key is not among them.
     *
     * @param found at least one key, the newest first
     */
    Optional<Candidate> of(List<Candidate> found) {
        Optional<X509Certificate> first = home.own().stream().findFirst();
        if (first.filter(IssuerRules::mayIssue).isPresent()) {
            Optional<Candidate> issuing = withKey(found, first.get());
            if (issuing.isPresent() || namesIssuer()) {
                return issuing;
            }
        }
        List<Candidate> signing = found.stream()
                .filter(key -> CertificateRules.isFor(key.certificate(), CertificateUse.SIGNING))
                .toList();
        List<Candidate> candidates = signing.isEmpty() ? found : signing;
        return Stream.concat(
                        home.own().stream().flatMap(certificate -> withKey(candidates, certificate).stream()),
                        present.stream().limit(1).flatMap(certificate -> withKey(found, certificate).stream()))
                .findFirst()
                .or(() -> newest(candidates));
    }

    /** Returns whether the first certificate of the home is that of an issuer. No other key may take its place. */
    boolean namesIssuer() {
        return home.own().stream()
                .limit(1)
                .anyMatch(first -> IssuerRules.mayIssue(first) && !IssuerRules.isIdentityThatIssues(first));
    }

    private static Optional<Candidate> withKey(List<Candidate> keys, X509Certificate certificate) {
        PublicKeyInfo wanted = PublicKeyInfo.of(certificate);
        return keys.stream().filter(key -> key.key().equals(wanted)).findFirst();
    }

    private Optional<Candidate> newest(List<Candidate> candidates) {
        if (candidates.stream().map(Candidate::owner).distinct().count() > 1) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        return candidates.stream()
                .filter(key -> !key.certificate().getNotBefore().toInstant().isAfter(now))
                .findFirst()
                .or(() -> Optional.of(candidates.get(0)));
    }
}
