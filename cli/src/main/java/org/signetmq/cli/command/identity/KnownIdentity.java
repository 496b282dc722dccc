/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;

/**
 * A name that a home knows, by its certificate, its private key or both. No password is needed to find it.
 *
 * @param name the name
 * @param certificate its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
 * @param hasPrivateKey whether {@code identities/} has its key
 */
record KnownIdentity(String name, @Nullable X509Certificate certificate, boolean hasPrivateKey) {
    private static final int LONGEST_CHAIN = 10;

    /** Returns all identities, sorted by their names. */
    static List<KnownIdentity> all(Home home) {
        List<String> own = home.identityStore().names();
        Map<String, @Nullable X509Certificate> certificates = new TreeMap<>();
        own.forEach(name -> certificates.put(name, null));
        // an issuing identity is no recipient
        home.certificateTrust().trusted().stream()
                .filter(entry -> own.contains(entry.name()))
                .forEach(entry -> certificates.put(entry.name(), entry.certificate()));
        home.recipientDirectory().all().forEach(entry -> certificates.put(entry.name(), entry.certificate()));
        List<KnownIdentity> known = new ArrayList<>();
        certificates.forEach((name, found) -> known.add(new KnownIdentity(name, found, own.contains(name))));
        return known;
    }

    /** Returns the identity with a name. */
    static KnownIdentity named(String name, Home home) {
        return all(home).stream()
                .filter(identity -> identity.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CliException.failure("identity '" + name + "': not in " + home.root())
                        .hint("signet identity list shows those that are"));
    }

    @Nullable
    CertificateFacts facts() {
        return certificate == null ? null : CertificateFacts.of(certificate);
    }

    /** Returns the home's files of it in words. */
    String held() {
        if (certificate == null) {
            return "key";
        }
        return hasPrivateKey ? "key, certificate" : "certificate";
    }

    /** Returns the certificate, then its issuers as far as the home knows them; nothing without a certificate. */
    List<X509Certificate> chain(Home home) throws IOException {
        if (certificate == null) {
            return List.of();
        }
        List<X509Certificate> candidates = certificates(home);
        List<X509Certificate> chain = new ArrayList<>(List.of(certificate));
        Optional<X509Certificate> issuer = issuer(certificate, candidates);
        while (issuer.isPresent() && !chain.contains(issuer.get()) && chain.size() < LONGEST_CHAIN) {
            chain.add(issuer.get());
            issuer = issuer(issuer.get(), candidates);
        }
        return chain;
    }

    private static Optional<X509Certificate> issuer(X509Certificate certificate, List<X509Certificate> candidates) {
        return candidates.stream()
                .filter(candidate -> candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
                .filter(candidate -> signed(candidate, certificate))
                .findFirst();
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
