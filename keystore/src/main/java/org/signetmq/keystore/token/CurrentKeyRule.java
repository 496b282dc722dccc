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
 * Chooses the current one of several keys of an identity. It is the key of the first certificate of the home that may
 * sign. If that file begins with an issuer, no other key than the issuer's is the current one. If the home has none, a
 * running program keeps its present key, so no key signs that was only put into the token. Without a present key in the
 * token it is the key with the newest certificate that is already valid. Keys that may sign come before all others.
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
    static final Comparator<OpenedKey> NEWEST = Comparator.<OpenedKey, Instant>comparing(
                    key -> key.certificate().getNotBefore().toInstant())
            .thenComparing(key -> key.certificate().getNotAfter().toInstant())
            .thenComparing(key -> key.certificate().getSerialNumber())
            .thenComparing(key -> key.entry().certificate().equals(key.certificate()))
            .reversed();

    /**
     * Returns the current key; empty if nothing tells which one it is, because the keys belong to different
     * distinguished names, or because the home names an issuer whose key is not among them.
     *
     * @param found at least one key, the newest first
     */
    Optional<OpenedKey> of(List<OpenedKey> found) {
        Optional<X509Certificate> first = home.own().stream().findFirst();
        if (first.filter(IssuerRules::mayIssue).isPresent()) {
            Optional<OpenedKey> issuing = withKey(found, PublicKeyInfo.of(first.get()));
            if (issuing.isPresent() || namesIssuer()) {
                return issuing;
            }
        }
        List<OpenedKey> signing = found.stream()
                .filter(key -> CertificateRules.isFor(key.certificate(), CertificateUse.SIGNING))
                .toList();
        List<OpenedKey> candidates = signing.isEmpty() ? found : signing;
        for (X509Certificate certificate : home.own()) {
            Optional<OpenedKey> named = withKey(candidates, PublicKeyInfo.of(certificate));
            if (named.isPresent()) {
                return named;
            }
        }
        Optional<OpenedKey> kept =
                present.stream().findFirst().flatMap(certificate -> withKey(found, PublicKeyInfo.of(certificate)));
        if (kept.isPresent()) {
            return kept;
        }
        long names = candidates.stream().map(CurrentKeyRule::nameOf).distinct().count();
        return names > 1 ? Optional.empty() : Optional.of(newest(candidates));
    }

    /**
     * Returns the certificate of a key. The home may have another one than the token. Without one in the home a running
     * program keeps the one that it has, so no program takes a certificate that was only put into the token.
     */
    X509Certificate certificateOf(X509Certificate inToken) {
        PublicKeyInfo key = PublicKeyInfo.of(inToken);
        return Stream.concat(home.own().stream(), present.stream())
                .filter(certificate -> PublicKeyInfo.of(certificate).equals(key))
                .findFirst()
                .orElse(inToken);
    }

    /** Returns whether this process has the key until now. */
    boolean isPresent(PublicKeyInfo key) {
        return present.stream().map(PublicKeyInfo::of).anyMatch(key::equals);
    }

    /** Returns whether the first certificate of the home is that of an issuer. No other key may take its place. */
    boolean namesIssuer() {
        return home.own().stream()
                .limit(1)
                .anyMatch(first -> IssuerRules.mayIssue(first) && !IssuerRules.isIdentityThatIssues(first));
    }

    private static Optional<OpenedKey> withKey(List<OpenedKey> keys, PublicKeyInfo wanted) {
        return keys.stream().filter(key -> key.info().equals(wanted)).findFirst();
    }

    private OpenedKey newest(List<OpenedKey> candidates) {
        Instant now = clock.instant();
        return candidates.stream()
                .filter(key -> !key.certificate().getNotBefore().toInstant().isAfter(now))
                .findFirst()
                .orElse(candidates.get(0));
    }

    static DistinguishedName nameOf(OpenedKey key) {
        return DistinguishedName.of(key.certificate().getSubjectX500Principal());
    }
}
