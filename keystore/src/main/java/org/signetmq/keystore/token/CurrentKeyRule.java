/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificatePaths;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.internal.x509.IssuerRules;

/**
 * Chooses the current one of several keys of an identity by their certificates. It is the key of the first certificate
 * of the home that may sign. If that file begins with an issuer, no other key than the issuer's is the current one. If
 * the home has none, a running program keeps its present key, so no key signs that was only put into the token. Without
 * a present key in the token it is the key with the newest certificate that is already valid. Keys that may sign come
 * before all others.
 *
 * @param own the certificates of its keys in the order of {@code recipients/NAME.pem}, then of {@code trust/NAME.pem}
 * @param issuers all certificates of these files
 * @param present the certificates of the keys that this process has until now, the current one first; empty at the
 *     start
 */
record CurrentKeyRule(List<X509Certificate> own, List<X509Certificate> issuers, List<X509Certificate> present) {
    /** The rule without a home at the start of a program. */
    static final CurrentKeyRule NONE = new CurrentKeyRule(List.of(), List.of(), List.of());

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
     * Reads the files of a name in a home.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException if the name is not one of an identity, or a file cannot
     *     be read
     */
    static CurrentKeyRule of(Home home, String name, List<X509Certificate> present) {
        IdentityStore.requireName(name);
        Set<X509Certificate> own = new LinkedHashSet<>();
        Set<X509Certificate> all = new LinkedHashSet<>();
        for (Path folder : List.of(home.recipients(), home.trust())) {
            Path file = folder.resolve(name + ".pem");
            if (Files.exists(file)) {
                List<X509Certificate> read = Pem.readCertificates(file);
                own.addAll(FormerCertificates.withCurrent(read));
                all.addAll(read);
            }
        }
        return new CurrentKeyRule(List.copyOf(own), List.copyOf(all), present);
    }

    /** Returns whether the home has a certificate of a key. */
    boolean hasKey(PublicKeyInfo key) {
        return own.stream().map(PublicKeyInfo::of).anyMatch(key::equals);
    }

    /**
     * Returns the chain of a certificate. It takes the place of that in the token, so the token keeps the certificate
     * that its key was made with.
     *
     * @param inToken the certificates in the token: that of the key first, then its issuers
     */
    List<X509Certificate> chain(X509Certificate leaf, List<X509Certificate> inToken) {
        return leaf.equals(inToken.get(0)) && inToken.size() > 1
                ? inToken
                : CertificatePaths.chain(
                        leaf, Stream.concat(issuers.stream(), inToken.stream()).toList(), CertificatePaths.MAX_ISSUERS);
    }

    /**
     * Returns the key of an entry; empty if its certificate is malformed. Without a certificate in the home a running
     * program keeps the one that it has, so no program takes a certificate that was only put into the token.
     */
    Optional<Candidate> candidate(OpenedKey.Entry entry) {
        try {
            PublicKeyInfo key = PublicKeyInfo.of(entry.certificate());
            X509Certificate certificate = Stream.concat(own.stream(), present.stream())
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
        if (!own.isEmpty() && IssuerRules.mayIssue(own.get(0))) {
            Optional<Candidate> issuing = withKey(found, own.get(0)).findFirst();
            if (issuing.isPresent() || namesIssuer()) {
                return issuing;
            }
        }
        List<Candidate> signing = found.stream()
                .filter(key -> CertificateRules.isFor(key.certificate(), CertificateUse.SIGNING))
                .toList();
        List<Candidate> candidates = signing.isEmpty() ? found : signing;
        return Stream.concat(
                        own.stream().flatMap(certificate -> withKey(candidates, certificate)),
                        present.stream().limit(1).flatMap(certificate -> withKey(found, certificate)))
                .findFirst()
                .or(() -> newest(candidates));
    }

    /** Returns whether the first certificate of the home is that of an issuer. No other key may take its place. */
    boolean namesIssuer() {
        return own.stream()
                .limit(1)
                .anyMatch(first -> IssuerRules.mayIssue(first) && !IssuerRules.isIdentityThatIssues(first));
    }

    private static Stream<Candidate> withKey(List<Candidate> keys, X509Certificate certificate) {
        PublicKeyInfo wanted = PublicKeyInfo.of(certificate);
        return keys.stream().filter(key -> key.key().equals(wanted));
    }

    private static Optional<Candidate> newest(List<Candidate> candidates) {
        if (candidates.stream().map(Candidate::owner).distinct().count() > 1) {
            return Optional.empty();
        }
        Date now = new Date();
        return candidates.stream()
                .filter(key -> !key.certificate().getNotBefore().after(now))
                .findFirst()
                .or(() -> Optional.of(candidates.get(0)));
    }
}
