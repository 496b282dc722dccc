/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The record of the certificates that the issuing identities of a home issued. Each distinguished name has one file of
 * PEM certificates, so that a look-up reads no others. A certificate that has ended leaves the file at the next issue
 * for its name. Thread-safe.
 */
public final class IssuedCertificates {
    private static final String EXTENSION = ".pem";
    private static final String LOCK = ".lock";
    private static final int NAME_BYTES = 20;

    /** The most certificates of a name that have not ended. */
    private static final int MOST = 400;

    private static final int MOST_BYTES = 1 << 20;
    private static final ReentrantLock ALONE = new ReentrantLock(); // the lock of a file does not keep threads apart

    private final Path folder;
    private final Clock clock;

    /** Returns the record of a home. */
    public IssuedCertificates(Home home, Clock clock) {
        this.folder = home.issued();
        this.clock = clock;
    }

    /** Issues a certificate. */
    public interface Issue {
        /**
         * Makes a certificate, or throws an exception that rejects it.
         *
         * @param earlier the certificates of the same name that have not ended, the last one first
         */
        X509Certificate certificate(List<X509Certificate> earlier);
    }

    /**
     * Issues a certificate and records it. From the look-up of the earlier certificates to the end of the writing, no
     * other process or thread adds one to the record. So two calls cannot both find the same name free.
     *
     * @param subject the name in the certificate
     * @throws KeystoreUnusableException if the record of the name cannot be read or written; then nothing is issued
     */
    @SuppressWarnings("try") // the lock is only held
    public X509Certificate issue(X500Principal subject, Issue issue) {
        ALONE.lock();
        try (FileChannel lock = lock()) {
            Path file = file(subject);
            List<X509Certificate> earlier = of(subject);
            requireRoom(file, earlier);
            X509Certificate made = issue.certificate(earlier);
            if (!earlier.contains(made)) {
                write(file, made, earlier);
            }
            return made;
        } catch (IOException e) {
            throw new KeystoreUnusableException(
                    folder + ": the record of issued certificates cannot be opened or written, so nothing was issued;"
                            + " check its permissions and the disk: " + e.getMessage(),
                    e);
        } finally {
            ALONE.unlock();
        }
    }

    /**
     * Records a certificate that was made before this call. The name may have other keys: this call does not look for
     * them, so it suits names that the operator of the home chose. After it returns, {@link #issue} sees the
     * certificate.
     *
     * @throws KeystoreUnusableException if the record of the name cannot be read or written; then the caller must not
     *     use the certificate
     */
    public void record(X509Certificate made) {
        X509Certificate unused = issue(made.getSubjectX500Principal(), earlier -> made);
    }

    /**
     * Returns the certificates of a name that have not ended, the last one first. Order and case do not count in the
     * name.
     *
     * @throws KeystoreUnusableException if the record of the name cannot be read, or another user can change it
     */
    public List<X509Certificate> of(X500Principal subject) {
        Path file = file(subject);
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        PermissionCheck.requireSafe(folder, List.of()); // another user could have removed the file
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        return read(file).stream().filter(certificate -> !hasEnded(certificate)).toList();
    }

    /**
     * Returns all recorded certificates, also those that have ended.
     *
     * @throws KeystoreUnusableException if a record cannot be read
     */
    public List<X509Certificate> all() {
        return BoundedFile.names(folder, EXTENSION).stream()
                .flatMap(name -> read(folder.resolve(name + EXTENSION)).stream())
                .toList();
    }

    /** Tells whether a certificate has ended. */
    public boolean hasEnded(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant().isBefore(clock.instant());
    }

    private FileChannel lock() throws IOException {
        WholeFile.makeFolder(folder);
        return new WholeFile(folder.resolve(LOCK)).lock();
    }

    private List<X509Certificate> read(Path file) {
        PermissionCheck.requireSafe(folder, List.of(file));
        List<X509Certificate> certificates;
        try {
            certificates = Pem.readCertificates(file);
        } catch (KeystoreUnusableException e) {
            throw new KeystoreUnusableException(
                    e.getMessage() + "; it is the record of issued certificates: restore it from a backup", e);
        }
        for (X509Certificate certificate : certificates) {
            if (!file(certificate.getSubjectX500Principal()).getFileName().equals(file.getFileName())) {
                throw new KeystoreUnusableException(file + ": its certificate with the serial number "
                        + certificate.getSerialNumber().toString(16)
                        + " is for another name; it is the record of issued certificates: restore it from a backup");
            }
        }
        return certificates;
    }

    private static void write(Path file, X509Certificate made, List<X509Certificate> earlier) throws IOException {
        byte[] content =
                Pem.bytes(Stream.concat(Stream.of(made), earlier.stream()).toList());
        if (content.length > MOST_BYTES) {
            throw new KeystoreUnusableException(file + ": would have " + content.length + " bytes with another"
                    + " certificate, and " + MOST_BYTES + " are the most; wait until one of this name ends, and issue"
                    + " later ones for a shorter time (--days)");
        }
        try (FileChanges changes = new FileChanges()) {
            changes.put(file, WholeFile.READABLE, content);
            changes.apply(() -> {});
        }
    }

    private static void requireRoom(Path file, List<X509Certificate> earlier) {
        if (earlier.size() >= MOST) {
            throw new KeystoreUnusableException(file + ": has " + earlier.size()
                    + " certificates of this name that have not ended, and " + MOST + " are the most; wait until one"
                    + " ends, and issue later ones for a shorter time (--days)");
        }
    }

    /** Returns the file of a name. Names that look equal have the same file, and others another one. */
    private Path file(X500Principal subject) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        for (List<String> attributes : DistinguishedName.of(subject).folded().attributes()) {
            digest.update(length(attributes.size()));
            for (String attribute : attributes) {
                byte[] bytes = attribute.getBytes(StandardCharsets.UTF_8);
                digest.update(length(bytes.length)); // a value may contain any separator
                digest.update(bytes);
            }
        }
        return folder.resolve(HexFormat.of().formatHex(digest.digest(), 0, NAME_BYTES) + EXTENSION);
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
    }
}
