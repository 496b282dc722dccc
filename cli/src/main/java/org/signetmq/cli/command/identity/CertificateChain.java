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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;

/** The issuers of a certificate as far as the home knows them; found without a password. */
final class CertificateChain {
    private static final int LONGEST = 10;

    private CertificateChain() {}

    /** Returns the certificate first, then its issuers up to one that issued itself; nothing for null. */
    static List<X509Certificate> of(@Nullable X509Certificate leaf, Home home) throws IOException {
        if (leaf == null) {
            return List.of();
        }
        List<X509Certificate> candidates = new ArrayList<>(certificates(home.recipients()));
        candidates.addAll(certificates(home.trust()));
        List<X509Certificate> chain = new ArrayList<>(List.of(leaf));
        Optional<X509Certificate> issuer = issuer(leaf, candidates);
        while (issuer.isPresent() && !chain.contains(issuer.get()) && chain.size() < LONGEST) {
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

    private static List<X509Certificate> certificates(Path folder) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.pem")) {
                files.forEach(file -> certificates.addAll(Pem.readCertificates(file)));
            }
        }
        return certificates;
    }
}
