/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/**
 * Finds the former certificates of a party. They stand in the party's file, behind its current certificate. They have
 * the same DN and may not issue certificates. All other certificates behind the first one are those of issuers.
 */
public final class FormerCertificates {
    /** The greatest number of former certificates of one file. */
    public static final int MOST = 64;

    private FormerCertificates() {}

    /** Returns the current certificate of a file, then the former ones. */
    public static List<X509Certificate> withCurrent(List<X509Certificate> file) {
        X509Certificate current = file.get(0);
        if (file.size() == 1 || CertificateRules.mayIssue(current)) {
            return List.of(current);
        }
        DistinguishedName name = DistinguishedName.of(current);
        List<X509Certificate> found = new ArrayList<>(List.of(current));
        for (X509Certificate other : file.subList(1, file.size())) {
            if (found.size() <= MOST
                    && !CertificateRules.mayIssue(other)
                    && !found.contains(other)
                    && DistinguishedName.of(other).equals(name)) {
                found.add(other);
            }
        }
        return List.copyOf(found);
    }

    /**
     * Returns the parties of a home: for each file the current certificate, then the former ones. A former key that a
     * file with another name and another current key has, too, is no former key of either: else a party could put the
     * certificate of another one behind its own, and be taken for it.
     *
     * @param folders the entries of each folder; files of one name in several folders are of one party
     */
    static List<List<X509Certificate>> parties(List<List<Recipient>> folders) {
        List<Party> parties = new ArrayList<>();
        for (List<Recipient> entries : folders) {
            byName(entries).forEach((file, certificates) -> parties.add(new Party(file, withCurrent(certificates))));
        }
        Map<NamedKey, Set<Holder>> holders = new HashMap<>();
        for (Party party : parties) {
            party.certificates()
                    .forEach(certificate -> holders.computeIfAbsent(NamedKey.of(certificate), any -> new HashSet<>())
                            .add(party.holder()));
        }
        return parties.stream().map(party -> party.own(holders)).toList();
    }

    /** A file with the key of its first certificate. */
    private record Holder(String file, PublicKeyInfo current) {
        boolean isOther(Holder other) {
            return !file.equals(other.file) && !current.equals(other.current);
        }
    }

    /** The certificates of a file, the current one first. */
    private record Party(String file, List<X509Certificate> certificates) {
        Holder holder() {
            return new Holder(file, PublicKeyInfo.of(certificates.get(0)));
        }

        /** Returns the certificates without former ones whose key another party has. */
        List<X509Certificate> own(Map<NamedKey, Set<Holder>> holders) {
            Holder self = holder();
            List<X509Certificate> own = new ArrayList<>(List.of(certificates.get(0)));
            for (X509Certificate former : certificates.subList(1, certificates.size())) {
                if (holders.getOrDefault(NamedKey.of(former), Set.of()).stream().noneMatch(self::isOther)) {
                    own.add(former);
                }
            }
            return List.copyOf(own);
        }
    }

    /**
     * Returns the certificates of a home without former ones. They are those of the directory, and those of
     * {@code trust/} but the ones of a party that the directory has under another current key.
     */
    public static List<Recipient> removed(RecipientDirectory directory, List<Recipient> trusted) {
        List<Recipient> left = new ArrayList<>(directory.all());
        Set<NamedKey> current = namedKeys(left);
        Set<NamedKey> former = namedKeys(directory.former());
        byName(trusted).forEach((file, certificates) -> {
            List<X509Certificate> party = withCurrent(certificates);
            Set<NamedKey> keys = party.stream().map(NamedKey::of).collect(Collectors.toSet());
            boolean isKnown = !Collections.disjoint(keys, current) || !Collections.disjoint(keys, former);
            Set<Issuing> seen = new HashSet<>();
            for (X509Certificate certificate : certificates) {
                boolean isFirst = seen.add(
                        new Issuing(DistinguishedName.of(certificate), CertificateRules.mayIssue(certificate)));
                boolean isOfKnownParty = party.contains(certificate) && isKnown;
                if (isFirst && (!isOfKnownParty || current.contains(NamedKey.of(certificate)))) {
                    left.add(new Recipient(file, certificate));
                }
            }
        });
        return List.copyOf(left);
    }

    private static Set<NamedKey> namedKeys(List<Recipient> entries) {
        return entries.stream().map(entry -> NamedKey.of(entry.certificate())).collect(Collectors.toSet());
    }

    private record NamedKey(PublicKeyInfo key, DistinguishedName name) {
        static NamedKey of(X509Certificate certificate) {
            return new NamedKey(
                    PublicKeyInfo.of(certificate),
                    DistinguishedName.of(certificate).folded());
        }
    }

    /** A name, and whether it issues. The first certificate of a file that has them is the current one. */
    private record Issuing(DistinguishedName name, boolean issues) {}

    private static Map<String, List<X509Certificate>> byName(List<Recipient> entries) {
        Map<String, List<X509Certificate>> files = new LinkedHashMap<>();
        for (Recipient entry : entries) {
            files.computeIfAbsent(entry.name(), any -> new ArrayList<>()).add(entry.certificate());
        }
        return files;
    }
}
