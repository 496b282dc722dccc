/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/**
 * The certificates of parties that a set of policies brings. They count as files in {@code recipients/} of the same
 * names do, which win over them. Each entry has the current certificate of a party, perhaps with its former ones and
 * its issuers behind it. Immutable.
 */
public final class PolicyCertificates {
    /** No certificate. */
    public static final PolicyCertificates NONE = new PolicyCertificates(Map.of());

    private static final int DER_SEQUENCE = 0x30;

    private final Map<String, Entry> entries;

    /**
     * A parsed entry.
     *
     * @param text the base64 text
     * @param certificates the certificates in the order of the text; empty if there is a problem
     * @param problem the reason why the entry cannot be used; null if it can
     */
    private record Entry(
            String text,
            List<X509Certificate> certificates,
            @Nullable String problem) {
        static Entry of(String text) {
            try {
                List<X509Certificate> found = new ArrayList<>();
                byte[] all = Base64.getDecoder().decode(text);
                ByteArrayInputStream rest = new ByteArrayInputStream(all);
                do {
                    if (all[all.length - rest.available()] != DER_SEQUENCE) {
                        throw new IllegalArgumentException("no sequence"); // the parser would accept PEM, too
                    }
                    found.add(CertificateProviders.certificate(rest));
                } while (rest.available() > 0);
                return new Entry(text, List.copyOf(found), null);
            } catch (GeneralSecurityException | RuntimeException unreadable) {
                return new Entry(text, List.of(), "no X.509 certificate (base64 of DER)");
            }
        }
    }

    private PolicyCertificates(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /**
     * Parses the certificates of a set of policies.
     *
     * @param texts base64 of DER, by the name of the party
     * @param before certificates that were parsed before; an equal text is not parsed again
     * @return {@code before} if the texts are the same
     */
    public static PolicyCertificates of(Map<String, String> texts, PolicyCertificates before) {
        Map<String, Entry> entries = new TreeMap<>();
        texts.forEach((name, text) -> {
            Entry known = before.entries.get(name);
            entries.put(name, known != null && known.text().equals(text) ? known : Entry.of(text));
        });
        return entries.equals(before.entries) ? before : new PolicyCertificates(Collections.unmodifiableMap(entries));
    }

    /** Returns the text of an entry with these certificates, the current one first. */
    public static String text(Collection<X509Certificate> certificates) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        certificates.forEach(certificate -> all.writeBytes(PublicKeyInfo.encoded(certificate)));
        return Base64.getEncoder().encodeToString(all.toByteArray());
    }

    /**
     * Returns the certificates of a text.
     *
     * @throws KeystoreUnusableException if it has anything else
     */
    public static List<X509Certificate> parse(String text) {
        Entry entry = Entry.of(text);
        if (entry.problem() != null) {
            throw new KeystoreUnusableException(entry.problem());
        }
        return entry.certificates();
    }

    /** Returns the names of all entries, sorted. */
    public Set<String> names() {
        return entries.keySet();
    }

    /** Returns the certificates of an entry, the current one first; empty if there is none that can be used. */
    public List<X509Certificate> certificates(String name) {
        Entry entry = entries.get(name);
        return entry == null ? List.of() : entry.certificates();
    }

    /** Returns the reasons why entries cannot be used, by their names. */
    public Map<String, String> problems() {
        Map<String, String> problems = new LinkedHashMap<>();
        entries.forEach((name, entry) -> {
            if (entry.problem() != null) {
                problems.put(name, entry.problem());
            }
        });
        return problems;
    }

    /** Returns the names of the entries that another set lacks or has otherwise. */
    public Set<String> changedFrom(PolicyCertificates other) {
        return entries.keySet().stream()
                .filter(name -> !Objects.equals(entries.get(name), other.entries.get(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
