/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.home.Pem;

/** The files of a folder of certificates or revocation lists in a home. Each name has one file. */
record CertificateFolder(Path folder) {
    private static final String EXTENSION = ".pem";
    private static final List<String> EXTENSIONS = List.of(EXTENSION, ".crt", ".cer", ".der", ".crl");

    /** The most certificates of a file behind the current one. */
    private static final int MOST = 64;

    /** Returns the file of a name. */
    Path file(String name) {
        return folder.resolve(name + EXTENSION);
    }

    /** Returns the files that a name has, also with other extensions. */
    List<Path> files(String name) {
        return EXTENSIONS.stream()
                .map(extension -> folder.resolve(name + extension))
                .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    /** Returns the certificates of a name; none if it has no file. */
    List<X509Certificate> certificates(String name) {
        return files(name).stream()
                .flatMap(file -> Pem.readCertificates(file).stream())
                .distinct()
                .toList();
    }

    /**
     * Returns the certificates of a renewed file: the new ones, then those that are there and have not ended.
     *
     * @param made the current certificate first
     */
    static List<X509Certificate> renewed(List<X509Certificate> made, List<X509Certificate> there, Instant now) {
        List<X509Certificate> renewed = new ArrayList<>(made);
        there.stream()
                .filter(certificate -> !made.contains(certificate)
                        && !certificate.getNotAfter().toInstant().isBefore(now))
                .limit(MOST)
                .forEach(renewed::add);
        return renewed;
    }

    /** Writes certificates as the file of a name, in place of all its files. */
    void write(String name, Collection<X509Certificate> certificates) {
        write(
                name,
                certificates.stream()
                        .map(Pem::certificatePem)
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.US_ASCII));
    }

    void write(String name, byte[] content) {
        try (FileChanges changes = new FileChanges()) {
            Path target = file(name);
            changes.put(target, content);
            for (Path other : files(name)) {
                if (!other.equals(target)) {
                    changes.delete(other);
                }
            }
            changes.apply(() -> {});
        } catch (IOException e) {
            throw new KeystoreUnusableException(file(name) + ": cannot be written: " + e.getMessage(), e);
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
        try (FileChanges changes = new FileChanges()) {
            for (Path file : files(name)) {
                changes.delete(file);
            }
            changes.apply(() -> {});
        } catch (IOException e) {
            throw new KeystoreUnusableException(file(name) + ": cannot be removed: " + e.getMessage(), e);
        }
    }

    /** Rejects a certificate that takes the name of another owner. */
    void requireSameOwner(String name, X509Certificate made, List<X509Certificate> there) {
        if (!there.isEmpty() && !nameOf(there.get(0)).equals(nameOf(made))) {
            throw new KeystoreUnusableException("'" + name + "': is '"
                    + DistinguishedName.shown(there.get(0).getSubjectX500Principal()) + "' in " + folder
                    + ", and the certificate is"
                    + " for '" + DistinguishedName.shown(made.getSubjectX500Principal())
                    + "'; choose another name, or remove the"
                    + " present one first");
        }
    }

    /**
     * Rejects certificates of several owners.
     *
     * @param several says what these are
     */
    static void requireOneOwner(List<X509Certificate> certificates, String source, String several) {
        X509Certificate first = certificates.get(0);
        for (X509Certificate other : certificates) {
            if (!nameOf(other).equals(nameOf(first))) {
                throw new KeystoreUnusableException(source + ": holds " + several + ", '"
                        + DistinguishedName.shown(first.getSubjectX500Principal()) + "' and '"
                        + DistinguishedName.shown(other.getSubjectX500Principal())
                        + "'; add each from a file of its own");
            }
        }
    }

    private static DistinguishedName nameOf(X509Certificate certificate) {
        return DistinguishedName.of(certificate.getSubjectX500Principal());
    }
}
