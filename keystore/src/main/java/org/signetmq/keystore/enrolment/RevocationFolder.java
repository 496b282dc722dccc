/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/** Adds and removes the revocation lists of {@code crl/}. Thread-safe. */
public final class RevocationFolder {
    private static final int LINE = 64;

    private final Home home;
    private final CertificateFolder folder;
    private final Clock clock;

    /** Returns the revocation lists of a home. */
    public RevocationFolder(Home home, Clock clock) {
        this.home = home;
        this.folder = new CertificateFolder(home.crl());
        this.clock = clock;
    }

    /** Returns the lists of a name; none if it has no file. */
    public List<X509CRL> lists(String name) {
        List<X509CRL> found = new ArrayList<>();
        for (Path file : folder.files(name)) {
            found.addAll(Pem.readCrls(file));
        }
        return List.copyOf(found);
    }

    /**
     * Adds the revocation lists of an issuer, or replaces older ones.
     *
     * @return the lists; empty if the home has them already
     * @throws KeystoreUnusableException if a list is not of an issuer that the home knows, is out of date, or older
     *     than the list that is there
     */
    public List<X509CRL> add(String name, List<ImportFile> files) {
        IdentityStore.requireName(name);
        files.forEach(ImportFile::requireNoPrivateKey);
        List<X509CRL> made = new ArrayList<>();
        for (ImportFile file : files) {
            for (X509CRL list : file.revocationLists()) {
                requireUsable(list, file.source());
                made.add(list);
            }
        }
        List<X509CRL> there = lists(name);
        for (X509CRL list : made) {
            requireNotOlder(name, list, there);
        }
        if (there.containsAll(made)) {
            return List.of();
        }
        List<X509CRL> all = new ArrayList<>(made);
        there.stream()
                .filter(old -> made.stream().noneMatch(list -> isOfSameIssuer(old, list)))
                .forEach(all::add);
        folder.write(name, pem(all));
        return List.copyOf(made);
    }

    private void requireUsable(X509CRL list, String source) {
        String issuer = list.getIssuerX500Principal().getName();
        boolean known = Stream.of(
                        home.certificateTrust().trusted(),
                        home.recipientDirectory().all())
                .flatMap(List::stream)
                .map(Recipient::certificate)
                .filter(certificate -> certificate.getSubjectX500Principal().equals(list.getIssuerX500Principal()))
                .anyMatch(certificate -> isSigned(list, certificate));
        if (!known) {
            throw new KeystoreUnusableException(source + ": its revocation list of '" + issuer
                    + "' is not signed by a certificate in " + home.trust() + "; trust its issuer first");
        }
        Date next = list.getNextUpdate();
        if (next == null || next.toInstant().isBefore(clock.instant())) {
            throw new KeystoreUnusableException(source + ": its revocation list of '" + issuer + "' is past its next"
                    + " update" + (next == null ? "" : ", " + next.toInstant()) + "; get a new one from the issuer");
        }
    }

    private static boolean isSigned(X509CRL list, X509Certificate issuer) {
        return CertificateProviders.isSignedBy(list, issuer.getPublicKey());
    }

    private static void requireNotOlder(String name, X509CRL made, List<X509CRL> there) {
        for (X509CRL old : there) {
            if (isOfSameIssuer(old, made)
                    && made.getThisUpdate()
                            .toInstant()
                            .isBefore(old.getThisUpdate().toInstant())) {
                throw new KeystoreUnusableException("revocation list '" + name + "': of "
                        + made.getThisUpdate().toInstant() + ", older than the one that is there, of "
                        + old.getThisUpdate().toInstant());
            }
        }
    }

    private static boolean isOfSameIssuer(X509CRL one, X509CRL other) {
        return one.getIssuerX500Principal().equals(other.getIssuerX500Principal());
    }

    private static byte[] pem(List<X509CRL> lists) {
        StringBuilder text = new StringBuilder();
        try {
            for (X509CRL list : lists) {
                text.append("-----BEGIN X509 CRL-----\n")
                        .append(Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(list.getEncoded()))
                        .append("\n-----END X509 CRL-----\n");
            }
        } catch (CRLException e) {
            throw new KeystoreUnusableException("revocation list: cannot be encoded", e);
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Removes the revocation lists of a name. The home then accepts what they revoked.
     *
     * @throws KeystoreUnusableException if the home has none
     */
    public void remove(String name) {
        IdentityStore.requireName(name);
        if (folder.files(name).isEmpty()) {
            throw new KeystoreUnusableException("revocation list '" + name + "': not in " + home.crl());
        }
        folder.delete(name);
    }
}
