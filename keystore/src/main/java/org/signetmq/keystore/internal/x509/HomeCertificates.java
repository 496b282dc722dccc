/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;

/**
 * The certificates of one state of a home.
 *
 * @param trusted the certificates in {@code trust/}, each under the name of its file
 * @param parties the current certificate of each file in {@code recipients/}, with the former ones behind it
 * @param helpful all certificates in {@code recipients/}
 */
public record HomeCertificates(List<Recipient> trusted, List<Recipient> parties, List<X509Certificate> helpful) {
    public HomeCertificates {
        trusted = List.copyOf(trusted);
        parties = List.copyOf(parties);
        helpful = List.copyOf(helpful);
    }

    public Set<X509Certificate> trustedCertificates() {
        return trusted.stream().map(Recipient::certificate).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the trusted and the helpful certificates. */
    public Set<X509Certificate> all() {
        Set<X509Certificate> all = new LinkedHashSet<>(trustedCertificates());
        all.addAll(helpful);
        return all;
    }

    /** Returns the keys of all trusted certificates and parties by name. */
    public KnownKeys knownKeys() {
        return new KnownKeys(
                Stream.concat(parties.stream(), trusted.stream())
                        .map(Recipient::certificate)
                        .toList(),
                FormerCertificates.parties(List.of(parties, trusted)));
    }

    /**
     * The parties of {@code recipients/} by their keys, folded DNs and files. A party vouches for no other name, even
     * if another certificate of the party may issue certificates. Immutable.
     */
    public record NamedParties(Set<PublicKeyInfo> keys, Set<DistinguishedName> names, Set<String> files) {
        /** Returns the parties of these certificates. */
        public static NamedParties of(Collection<Recipient> parties) {
            return new NamedParties(
                    parties.stream()
                            .map(party -> PublicKeyInfo.of(party.certificate()))
                            .collect(Collectors.toUnmodifiableSet()),
                    parties.stream().map(party -> nameOf(party.certificate())).collect(Collectors.toUnmodifiableSet()),
                    parties.stream().map(Recipient::name).collect(Collectors.toUnmodifiableSet()));
        }

        private static DistinguishedName nameOf(X509Certificate certificate) {
            return DistinguishedName.of(certificate).folded();
        }

        /** Tells whether the certificate has a party's key or DN, or a DN that looks like it. */
        public boolean isParty(X509Certificate certificate) {
            return keys.contains(PublicKeyInfo.of(certificate)) || names.contains(nameOf(certificate));
        }

        /**
         * Tells whether Signet believes the names that this certificate issues. It does if an administrator trusts the
         * certificate as an issuer, and not as that of a party or an identity.
         *
         * @param trusted a certificate in {@code trust/}
         */
        public boolean believesNamesOf(Recipient trusted) {
            X509Certificate certificate = trusted.certificate();
            return CertificateRules.mayIssue(certificate)
                    && !CertificateRules.isIdentityThatIssues(certificate)
                    && !isParty(certificate)
                    && !files.contains(trusted.name());
        }
    }

    /**
     * The public keys of a home, by the names in their certificates. These names count because an administrator put the
     * certificates into the home. Immutable.
     */
    public static final class KnownKeys {
        /** The certificates of each name, one for each key. */
        private final Map<DistinguishedName, Map<PublicKeyInfo, X509Certificate>> byName = new HashMap<>();

        /** The first certificate of each key. */
        private final Map<PublicKeyInfo, X509Certificate> byKey = new LinkedHashMap<>();

        /** The keys of each name in its folded form: of this name, and of those that look like it. */
        private final Map<DistinguishedName, Set<PublicKeyInfo>> alike = new HashMap<>();

        /**
         * The owners of each folded name that several keys have. An owner is the set of its current and former keys.
         */
        private final Map<DistinguishedName, List<Set<PublicKeyInfo>>> owners = new HashMap<>();

        /**
         * Indexes the keys of a home.
         *
         * @param parties the certificates of one party in each list, the current one first
         */
        KnownKeys(Collection<X509Certificate> certificates, Collection<List<X509Certificate>> parties) {
            for (X509Certificate certificate : certificates) {
                PublicKeyInfo key = PublicKeyInfo.of(certificate);
                byKey.putIfAbsent(key, certificate);
                byName.computeIfAbsent(DistinguishedName.of(certificate), any -> new HashMap<>())
                        .putIfAbsent(key, certificate);
                alike.computeIfAbsent(DistinguishedName.of(certificate).folded(), any -> new HashSet<>())
                        .add(key);
            }
            alike.forEach((name, keys) -> {
                if (keys.size() > 1) {
                    List<Set<PublicKeyInfo>> found = new ArrayList<>();
                    keys.forEach(key -> found.add(Set.of(key)));
                    owners.put(name, found);
                }
            });
            for (List<X509Certificate> party : parties) {
                List<Set<PublicKeyInfo>> sharing =
                        owners.get(DistinguishedName.of(party.get(0)).folded());
                if (sharing != null && party.size() > 1) {
                    unite(sharing, party);
                }
            }
        }

        /** Makes one owner of all that have a key of the party. */
        private static void unite(List<Set<PublicKeyInfo>> sharing, List<X509Certificate> party) {
            Set<PublicKeyInfo> all = new HashSet<>();
            party.forEach(certificate -> all.add(PublicKeyInfo.of(certificate)));
            for (Set<PublicKeyInfo> owner : List.copyOf(sharing)) {
                if (owner.stream().anyMatch(all::contains)) {
                    all.addAll(owner);
                    sharing.remove(owner);
                }
            }
            sharing.add(all);
        }

        /** Tells whether a certificate of the home has this name, or one that looks like it. */
        public boolean isTaken(DistinguishedName name) {
            return alike.containsKey(name.folded());
        }

        /** Tells whether certificates of the home give this name, or one that looks like it, to other keys only. */
        public boolean isTakenFrom(DistinguishedName name, PublicKeyInfo key) {
            return isTaken(name) && !alike.getOrDefault(name.folded(), Set.of()).contains(key);
        }

        /** Tells whether a certificate of the home gives this name to this key. */
        public boolean isName(DistinguishedName name, PublicKeyInfo key) {
            return byName.getOrDefault(name, Map.of()).containsKey(key);
        }

        /**
         * Tells whether the home gives this name to this key, and neither the name nor one that looks like it to
         * another key, except for former ones of the same party.
         */
        public boolean isNameOfOne(DistinguishedName name, PublicKeyInfo key) {
            List<Set<PublicKeyInfo>> sharing = owners.get(name.folded());
            return isName(name, key) && (sharing == null || sharing.size() == 1);
        }

        /** Returns a certificate of the home for this key; empty if it has none. */
        public Optional<X509Certificate> certificate(PublicKeyInfo key) {
            return Optional.ofNullable(byKey.get(key));
        }
    }
}
