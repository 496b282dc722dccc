/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.keys.HomeKeys;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.Certificates;

/**
 * A name that a home knows, by its certificate, its private key or both. No password is needed to find it.
 *
 * @param certificate its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
 * @param hasPrivateKey whether {@code identities/} has its key
 * @param former its former keys and certificates
 */
record KnownIdentity(
        String name, @Nullable X509Certificate certificate, boolean hasPrivateKey, List<FormerKey> former) {
    private static final int LONGEST_CHAIN = 10;

    /** Returns all identities, sorted by their names. */
    static List<KnownIdentity> all(Home home) {
        IdentityStore store = home.identityStore();
        RecipientDirectory directory = home.recipientDirectory();
        Set<String> own = new TreeSet<>(store.names());
        Map<String, Set<X509Certificate>> certificates = new TreeMap<>();
        own.forEach(name -> certificates.put(name, new LinkedHashSet<>()));
        Stream.of(
                        directory.all(),
                        directory.former(),
                        // an issuing identity is no recipient
                        home.certificateTrust().trusted().stream()
                                .filter(entry -> own.contains(entry.name()))
                                .toList())
                .flatMap(List::stream)
                .forEach(entry -> certificates
                        .computeIfAbsent(entry.name(), any -> new LinkedHashSet<>())
                        .add(entry.certificate()));
        List<KnownIdentity> known = new ArrayList<>();
        certificates.forEach((name, all) -> {
            X509Certificate current = all.stream().findFirst().orElse(null);
            List<String> held = own.contains(name) ? store.formerKeys(name) : List.of();
            known.add(new KnownIdentity(
                    name, current, own.contains(name), FormerKey.of(current, all, held, own.contains(name))));
        });
        return List.copyOf(known);
    }

    static KnownIdentity named(String name, Home home) {
        return all(home).stream()
                .filter(identity -> identity.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CliException.failure("identity '" + name + "': not in " + home.root())
                        .hint("signet identity list shows those that are"));
    }

    /** Tells whether it receives with another key than it signs with. */
    boolean receivesApart() {
        return certificate != null && FormerKey.onlyReceives(certificate);
    }

    /** Returns a certificate in one line: its name, the kind of its key, and the identifier of the key. */
    static String line(X509Certificate certificate) {
        Map<String, String> facts = facts(certificate);
        return facts.get("dn") + ", " + facts.get("key-algorithm") + ", key id " + facts.get("key-id");
    }

    /** Returns the end of a certificate. */
    static String end(X509Certificate certificate) {
        return time(certificate.getNotAfter());
    }

    /** Returns in words which files the home has of it. */
    String held() {
        if (certificate == null) {
            return "key";
        }
        String use = receivesApart() ? "receiving " : "";
        return use + (hasPrivateKey ? "key, certificate" : "certificate");
    }

    /** Returns the fields of the certificate, or null without a certificate. */
    @Nullable
    Map<String, String> facts() {
        return certificate == null ? null : facts(certificate);
    }

    /** Returns the shown fields of a certificate in their order, by their keys in JSON. */
    static Map<String, String> facts(X509Certificate certificate) {
        Map<String, String> facts = new LinkedHashMap<>();
        // files that users copy into the home may have any name
        facts.put("dn", Failures.oneLine(DistinguishedName.shown(certificate.getSubjectX500Principal())));
        facts.put("issuer", Failures.oneLine(DistinguishedName.shown(certificate.getIssuerX500Principal())));
        facts.put("serial-number", certificate.getSerialNumber().toString(16));
        facts.put("key-algorithm", algorithm(certificate.getPublicKey()));
        facts.put("key-id", KeyIdentifier.ofKey(certificate).toString()); // as policies name it
        facts.put("not-before", time(certificate.getNotBefore()));
        facts.put("not-after", time(certificate.getNotAfter()));
        return facts;
    }

    /** Adds the facts of a certificate under a title. */
    static void addFacts(LabelledLines lines, String title, Map<String, String> facts) {
        lines.addAll(List.of(title));
        facts.forEach((key, value) -> lines.add("  " + key.replace('-', ' '), value));
    }

    /** Returns the name that {@code identity create} has for the algorithm; for any other key that of Java. */
    static String algorithm(PublicKey key) {
        return KeyAlgorithm.label(key);
    }

    private static String time(Date date) {
        return date.toInstant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Returns the certificate, then its issuers as far as the home knows them; nothing without a certificate. */
    List<X509Certificate> chain(Home home) throws IOException {
        List<X509Certificate> candidates = new ArrayList<>();
        if (certificate != null) {
            HomeKeys.files(home).forEach(file -> candidates.addAll(Pem.readCertificates(file)));
        }
        List<X509Certificate> chain = new ArrayList<>();
        X509Certificate next = certificate;
        while (next != null && !chain.contains(next) && chain.size() < LONGEST_CHAIN) {
            X509Certificate last = next;
            chain.add(last);
            next = candidates.stream()
                    .filter(issuer -> issuer.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
                    .filter(issuer -> Certificates.isSignedBy(last, issuer))
                    .findFirst()
                    .orElse(null);
        }
        return chain;
    }

    /**
     * A key or certificate of an identity that is not the current one. No password is needed to find it.
     *
     * @param keyId the identifier of the key in hex; without a certificate only its first 16 digits
     * @param hasPrivateKey whether {@code identities/former/} has the key
     * @param certificate its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
     * @param state {@code next} for a certificate that is newer than the current one, {@code signing} for the key that
     *     signs if the current one only receives, else {@code former}
     */
    record FormerKey(
            String keyId, boolean hasPrivateKey, @Nullable X509Certificate certificate, String state) {
        private static final String FORMER = "former";

        private static final int DIGITAL_SIGNATURE = 0;
        private static final int NON_REPUDIATION = 1;
        private static final int KEY_ENCIPHERMENT = 2;
        private static final int KEY_AGREEMENT = 4;

        /**
         * Returns the former keys of an identity, those with certificates first.
         *
         * @param current its current certificate, or null if there is none
         * @param certificates all certificates under its name
         * @param held the first digits of the identifiers of the private keys in {@code identities/former/}
         * @param own whether the home has the key that signs
         */
        static List<FormerKey> of(
                @Nullable X509Certificate current,
                Collection<X509Certificate> certificates,
                List<String> held,
                boolean own) {
            List<FormerKey> found = new ArrayList<>();
            Optional<X509Certificate> signing = current == null || !onlyReceives(current)
                    ? Optional.empty()
                    : certificates.stream()
                            .filter(other -> !onlyReceives(other))
                            .findFirst();
            for (X509Certificate certificate : certificates) {
                if (signing.isPresent() && certificate.equals(signing.get())) {
                    String keyId = KeyIdentifier.ofKey(certificate).toString();
                    found.add(new FormerKey(keyId, own, certificate, "signing"));
                } else if (!certificate.equals(current)) {
                    String keyId = KeyIdentifier.ofKey(certificate).toString();
                    boolean newer = current != null
                            && certificate
                                    .getNotBefore()
                                    .toInstant()
                                    .isAfter(current.getNotBefore().toInstant());
                    found.add(new FormerKey(
                            keyId, held.stream().anyMatch(keyId::startsWith), certificate, newer ? "next" : FORMER));
                }
            }
            String currentId =
                    current == null ? "" : KeyIdentifier.ofKey(current).toString();
            held.stream()
                    .filter(id -> !currentId.startsWith(id)) // left over from a renewal that was interrupted
                    .filter(id -> found.stream().noneMatch(key -> key.keyId().startsWith(id)))
                    .forEach(id -> found.add(new FormerKey(id, true, null, FORMER)));
            return List.copyOf(found);
        }

        /** Tells whether the key usage of a certificate allows to receive messages, and not to sign them. */
        static boolean onlyReceives(X509Certificate certificate) {
            boolean[] usage = certificate.getKeyUsage();
            return usage != null
                    && (usage[KEY_ENCIPHERMENT] || usage[KEY_AGREEMENT])
                    && !usage[DIGITAL_SIGNATURE]
                    && !usage[NON_REPUDIATION];
        }

        /** Returns in words which files the home has of it. */
        String held() {
            if (certificate == null) {
                return state + " key";
            }
            return state + (hasPrivateKey ? " key, certificate" : " certificate");
        }

        /** Returns the fields of the certificate, or only the identifier of the key. */
        Map<String, String> facts() {
            return certificate == null ? Map.of("key-id", keyId) : KnownIdentity.facts(certificate);
        }

        /** A former key in an answer as JSON. */
        record Row(
                String state,
                String keyId,
                boolean privateKey,
                @Nullable Map<String, String> certificate) {
            static List<Row> of(KnownIdentity identity) {
                return identity.former().stream()
                        .map(key -> new Row(
                                key.state(),
                                key.keyId(),
                                key.hasPrivateKey(),
                                key.certificate() == null ? null : key.facts()))
                        .toList();
            }
        }
    }
}
