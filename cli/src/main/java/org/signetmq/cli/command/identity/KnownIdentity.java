/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;

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
        if (key instanceof RSAPublicKey rsa) {
            return "rsa-" + rsa.getModulus().bitLength();
        }
        if (key instanceof ECPublicKey ec) {
            return "ec-p" + ec.getParams().getCurve().getField().getFieldSize();
        }
        String name = key instanceof EdECPublicKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        return name.toLowerCase(Locale.ROOT);
    }

    private static String time(Date date) {
        return date.toInstant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Returns the certificate, then its issuers as far as the home knows them; nothing without a certificate. */
    List<X509Certificate> chain(Home home) throws IOException {
        List<X509Certificate> candidates = certificate == null ? List.of() : certificates(home);
        List<X509Certificate> chain = new ArrayList<>();
        X509Certificate next = certificate;
        while (next != null && !chain.contains(next) && chain.size() < LONGEST_CHAIN) {
            X509Certificate last = next;
            chain.add(last);
            next = candidates.stream()
                    .filter(issuer -> issuer.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
                    .filter(issuer -> signed(issuer, last))
                    .findFirst()
                    .orElse(null);
        }
        return chain;
    }

    private static boolean signed(X509Certificate issuer, X509Certificate certificate) {
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false; // another with the same name
        }
    }

    private static List<X509Certificate> certificates(Home home) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Path folder : List.of(home.recipients(), home.trust())) {
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.pem")) {
                    files.forEach(file -> certificates.addAll(Pem.readCertificates(file)));
                }
            }
        }
        return certificates;
    }
}
