/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;

/** The files of a folder of certificates or revocation lists in a home. Each name has one file. */
record CertificateFolder(Path folder) {
    private static final String EXTENSION = ".pem";
    private static final List<String> EXTENSIONS = List.of(EXTENSION, ".crt", ".cer", ".der", ".crl");

    /** The most certificates of a file behind the current one. */
    private static final int MOST = 64;

    /** Returns the files that a name has, also with other extensions. */
    List<Path> files(String name) {
        return EXTENSIONS.stream()
                .map(extension -> folder.resolve(name + extension))
                .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    private List<X509Certificate> certificates(String name) {
        return files(name).stream()
                .flatMap(file -> Pem.readCertificates(file).stream())
                .distinct()
                .toList();
    }

    /**
     * Puts certificates in front of those that a name has and that have not ended.
     *
     * @param made the current certificate first
     * @param all the certificates of the imported files
     * @param order the order of the file
     */
    CertificateChange add(
            String name,
            List<X509Certificate> made,
            List<X509Certificate> all,
            UnaryOperator<List<X509Certificate>> order,
            Instant now) {
        X509Certificate current = made.get(0);
        List<X509Certificate> there = certificates(name);
        List<X509Certificate> ignored =
                all.stream().filter(certificate -> !made.contains(certificate)).toList();
        if (!there.isEmpty() && there.get(0).equals(current) && there.containsAll(made)) {
            return new CertificateChange(CertificateChange.Kind.NONE, current, ignored, Optional.empty());
        }
        String pem = order
                .apply(Stream.concat(made.stream(), lasting(made, there, now)).toList())
                .stream()
                .map(Pem::certificatePem)
                .collect(Collectors.joining());
        write(name, pem);
        return new CertificateChange(
                there.isEmpty() ? CertificateChange.Kind.NEW : CertificateChange.Kind.RENEWED,
                current,
                ignored,
                Optional.empty());
    }

    /** Returns the earlier certificates that stay behind new ones: those that have not ended, up to a limit. */
    static Stream<X509Certificate> lasting(List<X509Certificate> made, List<X509Certificate> there, Instant now) {
        return there.stream()
                .filter(certificate -> !made.contains(certificate)
                        && !certificate.getNotAfter().toInstant().isBefore(now))
                .limit(MOST);
    }

    /** Writes PEM as the file of a name, in place of all its files. */
    void write(String name, String pem) {
        replace(name, pem.getBytes(StandardCharsets.US_ASCII));
    }

    private void replace(String name, byte @Nullable [] content) {
        Path target = folder.resolve(name + EXTENSION);
        try (FileChanges changes = new FileChanges()) {
            if (content != null) {
                changes.put(target, WholeFile.READABLE, content);
            }
            for (Path file : files(name)) {
                if (content == null || !file.equals(target)) {
                    changes.delete(file);
                }
            }
            changes.apply(() -> {});
        } catch (IOException e) {
            throw new KeystoreUnusableException(
                    target + ": cannot be " + (content == null ? "removed: " : "written: ") + e.getMessage(), e);
        }
    }

    /**
     * Deletes the files of a name.
     *
     * @param kind what the folder has, for messages
     * @throws KeystoreUnusableException if there is none
     */
    void remove(String name, String kind) {
        if (files(name).isEmpty()) {
            throw new KeystoreUnusableException(kind + " '" + name + "': not in " + folder);
        }
        replace(name, null);
    }

    /** Rejects the name of an identity of the home. */
    static void requireForeign(Home home, String name) {
        IdentityStore.requireName(name);
        if (home.identityStore().names().contains(name)) {
            throw new KeystoreUnusableException("'" + name + "': is an identity of this home; signet identity renew or"
                    + " import changes its certificate");
        }
    }

    /** Rejects a certificate that takes the name of another owner. */
    void requireSameOwner(String name, X509Certificate made) {
        certificates(name).stream()
                .limit(1)
                .filter(there -> !DistinguishedName.of(there).equals(DistinguishedName.of(made)))
                .forEach(there -> {
                    throw new KeystoreUnusableException(
                            "'" + name + "': is '" + DistinguishedName.shown(there) + "' in " + folder
                                    + ", and the certificate is for '" + DistinguishedName.shown(made)
                                    + "'; choose another name, or remove the present one first");
                });
    }

    /**
     * Rejects certificates of several owners.
     *
     * @param several says what these are
     */
    static void requireOneOwner(List<X509Certificate> certificates, String source, String several) {
        X509Certificate first = certificates.get(0);
        for (X509Certificate other : certificates) {
            if (!DistinguishedName.of(other).equals(DistinguishedName.of(first))) {
                throw new KeystoreUnusableException(
                        source + ": holds " + several + ", '" + DistinguishedName.shown(first) + "' and '"
                                + DistinguishedName.shown(other) + "'; add each from a file of its own");
            }
        }
    }
}
