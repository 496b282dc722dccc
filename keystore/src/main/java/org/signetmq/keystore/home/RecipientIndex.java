/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.internal.x509.Selector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One state of the directory, indexed by names and identifiers. Immutable.
 *
 * @param byComputed entries, with the former ones, by the identifiers computed from their keys
 * @param byClaimed entries, with the former ones, by the identifiers that their certificates claim
 * @param former former certificates, under the names of their entries
 * @param ofPolicies the names whose certificates are those of the policies
 */
record RecipientIndex(
        Map<String, Recipient> byName,
        Map<DistinguishedName, List<Recipient>> byDn,
        Map<KeyIdentifier, List<Recipient>> byComputed,
        Map<KeyIdentifier, List<Recipient>> byClaimed,
        List<Recipient> former,
        Set<String> ofPolicies) {
    private static final Logger LOG = LoggerFactory.getLogger(RecipientIndex.class);

    static RecipientIndex of(HomeSnapshot home) {
        Map<String, Recipient> byName = new TreeMap<>();
        List<Recipient> former = new ArrayList<>();
        home.recipients().files().forEach((file, parsed) -> {
            if (parsed.value() != null && !add(file.stem(), parsed.value(), byName, former)) {
                LOG.warn(
                        "{} is not used: another file has the same name before its extension",
                        PrintableText.of(file.name()));
            }
        });
        Set<String> ofPolicies = new HashSet<>();
        home.forEachOfPolicies((name, certificates) -> {
            add(name, certificates, byName, former);
            ofPolicies.add(name);
        });
        Map<DistinguishedName, List<Recipient>> byDn = new HashMap<>();
        Map<KeyIdentifier, List<Recipient>> byComputed = new HashMap<>();
        Map<KeyIdentifier, List<Recipient>> byClaimed = new HashMap<>();
        for (Recipient recipient : byName.values()) {
            add(byDn, DistinguishedName.of(recipient.certificate()), recipient);
        }
        Stream.concat(byName.values().stream(), former.stream()).forEach(recipient -> {
            add(byComputed, KeyIdentifier.ofKey(recipient.certificate()), recipient);
            add(byClaimed, KeyIdentifier.of(recipient.certificate()), recipient);
        });
        return new RecipientIndex(byName, byDn, byComputed, byClaimed, List.copyOf(former), Set.copyOf(ofPolicies));
    }

    /** Adds a party; returns false if its name is taken. */
    private static boolean add(
            String name, List<X509Certificate> certificates, Map<String, Recipient> byName, List<Recipient> former) {
        List<Recipient> party = FormerCertificates.withCurrent(certificates).stream()
                .map(certificate -> new Recipient(name, certificate))
                .toList();
        if (byName.putIfAbsent(name, party.get(0)) != null) {
            return false;
        }
        former.addAll(party.subList(1, party.size()));
        return true;
    }

    private static <K> void add(Map<K, List<Recipient>> index, K key, Recipient recipient) {
        index.computeIfAbsent(key, any -> new ArrayList<>()).add(recipient);
    }

    Optional<Recipient> find(Selector selector, Instant now) {
        Optional<Recipient> found = Optional.empty();
        if (selector instanceof Selector.ByName wanted) {
            found = Optional.ofNullable(byName.get(wanted.name()));
        } else if (selector instanceof Selector.ByKey wanted) {
            found = best(byComputed.getOrDefault(wanted.identifier(), List.of()), now);
        } else if (selector instanceof Selector.ByDn wanted) {
            List<Recipient> candidates = byDn.getOrDefault(wanted.name(), List.of());
            reject(candidates, "have one distinguished name but different keys");
            found = best(candidates, now);
        }
        found.ifPresent(recipient -> find(recipient.keyIdentifier()));
        return found;
    }

    List<Recipient> find(KeyIdentifier claimed) {
        List<Recipient> found = byClaimed.getOrDefault(claimed, List.of());
        reject(found, "claim one key identifier but have different keys");
        return List.copyOf(found);
    }

    List<Recipient> all() {
        return List.copyOf(byName.values());
    }

    /** Returns the newest valid candidate, else the newest one. A renewal leaves several in the folder. */
    static Optional<Recipient> best(List<Recipient> candidates, Instant now) {
        return candidates.stream()
                .max(Comparator.<Recipient, Boolean>comparing(
                                recipient -> CertificateRules.isInDate(recipient.certificate(), now))
                        .thenComparing(recipient -> recipient.certificate().getNotBefore()));
    }

    /** Returns the names of the first two entries with different keys; empty if all have the same key. */
    static Optional<String> conflict(List<Recipient> entries) {
        for (int i = 1; i < entries.size(); i++) {
            if (!keyOf(entries.get(i)).equals(keyOf(entries.get(0)))) {
                return Optional.of(
                        "'" + entries.get(0).name() + "' and '" + entries.get(i).name() + "'");
            }
        }
        return Optional.empty();
    }

    /** Rejects entries with different keys. */
    static void reject(List<Recipient> entries, String what) {
        if (entries.size() > 1) {
            conflict(entries).ifPresent(names -> {
                throw new KeystoreUnusableException("recipients/: " + names + " " + what
                        + "; remove the wrong one, or where only the distinguished name is shared use the file's name");
            });
        }
    }

    private static PublicKeyInfo keyOf(Recipient entry) {
        return PublicKeyInfo.of(entry.certificate());
    }
}
