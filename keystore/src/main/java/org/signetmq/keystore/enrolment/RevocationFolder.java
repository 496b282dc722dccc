/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.PublicKey;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.PemText;

/** Adds and removes the revocation lists of {@code crl/}. Thread-safe. */
public record RevocationFolder(Home home, Clock clock) {
    private static final String DELTA = "2.5.29.27";
    private static final String DISTRIBUTION_POINT = "2.5.29.28";

    private CertificateFolder folder() {
        return new CertificateFolder(home.crl());
    }

    /** Returns the lists of a name; none if it has no file. */
    public List<X509CRL> lists(String name) {
        return folder().files(name).stream()
                .flatMap(file -> Pem.readCrls(file).stream())
                .toList();
    }

    /** A list with the key that signed it. */
    private record Signed(X509CRL list, PublicKey key) {
        /** Tells whether the list takes the place of an earlier one: same key, and for the same certificates. */
        boolean replaces(X509CRL old) {
            return isForSameCertificates(old, list) && CertificateProviders.isSignedBy(old, key);
        }
    }

    /**
     * Adds the revocation lists of an issuer. A list replaces an older one of the same issuer, key and distribution
     * point. All others stay in the file.
     *
     * @return the lists; empty if the home has them already
     * @throws KeystoreUnusableException if a list is not of an issuer that the home knows, has changes alone, is out of
     *     date, or older than the list that is there
     */
    public List<X509CRL> add(String name, List<ImportFile> files) {
        IdentityStore.requireName(name);
        files.forEach(ImportFile::requireNoPrivateKey);
        List<Signed> signed = new ArrayList<>();
        for (ImportFile file : files) {
            for (X509CRL list : file.revocationLists()) {
                signed.add(new Signed(list, usable(list, file.source())));
            }
        }
        List<X509CRL> there = lists(name);
        for (Signed list : signed) {
            requireNotOlder(name, list, there);
        }
        List<X509CRL> made = signed.stream().map(Signed::list).toList();
        if (there.containsAll(made)) {
            return List.of();
        }
        Stream<X509CRL> kept = there.stream()
                .filter(old -> !made.contains(old) && signed.stream().noneMatch(list -> list.replaces(old)));
        folder().write(
                        name,
                        Stream.concat(made.stream(), kept)
                                .map(RevocationFolder::pem)
                                .collect(Collectors.joining()));
        return made;
    }

    /** Returns the key that signed a list. */
    private PublicKey usable(X509CRL list, String source) {
        String issuer = DistinguishedName.shown(list.getIssuerX500Principal());
        if (list.getExtensionValue(DELTA) != null) {
            throw new KeystoreUnusableException(source + ": its revocation list of '" + issuer
                    + "' has only the changes since another list (a delta CRL); get the full list from the issuer");
        }
        Optional<X509Certificate> known = Stream.of(
                        home.certificateTrust().trusted(),
                        home.recipientDirectory().all())
                .flatMap(List::stream)
                .map(Recipient::certificate)
                .filter(certificate -> certificate.getSubjectX500Principal().equals(list.getIssuerX500Principal()))
                .filter(certificate -> CertificateProviders.isSignedBy(list, certificate.getPublicKey()))
                .findFirst();
        if (known.isEmpty()) {
            throw new KeystoreUnusableException(source + ": its revocation list of '" + issuer
                    + "' is not signed by a certificate in " + home.trust() + "; trust its issuer first");
        }
        Date next = list.getNextUpdate();
        if (next == null || next.toInstant().isBefore(clock.instant())) {
            throw new KeystoreUnusableException(source + ": its revocation list of '" + issuer + "' is past its next"
                    + " update" + (next == null ? "" : ", " + next.toInstant()) + "; get a new one from the issuer");
        }
        return known.get().getPublicKey();
    }

    private static void requireNotOlder(String name, Signed made, List<X509CRL> there) {
        for (X509CRL old : there) {
            Instant now = made.list().getThisUpdate().toInstant();
            if (now.isBefore(old.getThisUpdate().toInstant()) && made.replaces(old)) {
                throw new KeystoreUnusableException("revocation list '" + name + "': of " + now
                        + ", older than the one that is there, of "
                        + old.getThisUpdate().toInstant());
            }
        }
    }

    /**
     * Tells whether both lists are full ones of one issuer name, for the same of its certificates. It does not look at
     * the signatures.
     */
    public static boolean isForSameCertificates(X509CRL one, X509CRL other) {
        return one.getIssuerX500Principal().equals(other.getIssuerX500Principal())
                && one.getExtensionValue(DELTA) == null
                && other.getExtensionValue(DELTA) == null
                && Arrays.equals(
                        one.getExtensionValue(DISTRIBUTION_POINT), other.getExtensionValue(DISTRIBUTION_POINT));
    }

    private static String pem(X509CRL list) {
        try {
            return PemText.of("X509 CRL", list.getEncoded());
        } catch (CRLException e) {
            throw new KeystoreUnusableException("revocation list: cannot be encoded", e);
        }
    }

    /**
     * Removes the revocation lists of a name. The home then accepts what they revoked.
     *
     * @throws KeystoreUnusableException if the home has none
     */
    public void remove(String name) {
        IdentityStore.requireName(name);
        folder().remove(name, "revocation list");
    }
}
