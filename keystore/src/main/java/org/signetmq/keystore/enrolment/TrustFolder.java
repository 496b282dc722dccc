/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.internal.x509.IssuerRules;

/** Adds and removes the certificates of {@code trust/}. Thread-safe. */
public final class TrustFolder {
    private final Home home;
    private final CertificateFolder folder;
    private final Clock clock;

    /** Returns the trust of a home. */
    public TrustFolder(Home home, Clock clock) {
        this.home = home;
        this.folder = new CertificateFolder(home.trust());
        this.clock = clock;
    }

    /**
     * Trusts an issuer, or the self-signed certificate of a party. If the files have a whole chain, only its root is
     * trusted.
     *
     * @throws KeystoreUnusableException if the files have no such certificate, or several
     * @throws org.signetmq.keystore.CertificateRejectedException if a rule rejects the certificate
     */
    public CertificateChange add(String name, List<ImportFile> files) {
        IdentityStore.requireName(name);
        requireForeign(name);
        files.forEach(ImportFile::requireNoPrivateKey);
        List<X509Certificate> all = ImportFile.certificates(files);
        List<X509Certificate> anchors = anchors(all, files);
        X509Certificate current = anchors.get(0);
        if (PartyRules.isAuthority(current)) {
            PartyRules.requireAuthority(current, clock.instant());
            requireNameOfNoParty(name);
        } else {
            PartyRules.require(current, clock.instant());
        }
        List<X509Certificate> there = folder.certificates(name);
        folder.requireSameOwner(name, current, there);
        List<X509Certificate> ignored = all.stream()
                .filter(certificate -> !anchors.contains(certificate))
                .toList();
        if (!there.isEmpty() && there.get(0).equals(current) && there.containsAll(anchors)) {
            return new CertificateChange(CertificateChange.Kind.NONE, current, ignored, Optional.empty());
        }
        folder.write(name, CertificateFolder.renewed(anchors, there, clock.instant()));
        return new CertificateChange(
                there.isEmpty() ? CertificateChange.Kind.NEW : CertificateChange.Kind.RENEWED,
                current,
                ignored,
                Optional.empty());
    }

    /** Returns the certificates to be trusted, which have one name. */
    private static List<X509Certificate> anchors(List<X509Certificate> all, List<ImportFile> files) {
        String source = files.stream().map(ImportFile::source).collect(Collectors.joining(", "));
        if (all.isEmpty()) {
            throw new KeystoreUnusableException(source + ": holds no certificate");
        }
        List<X509Certificate> anchors =
                all.stream().filter(IssuerRules::isSelfIssued).toList();
        if (anchors.isEmpty()) {
            anchors = all.stream().filter(IssuerRules::mayIssue).toList();
        }
        if (anchors.isEmpty()) {
            throw new KeystoreUnusableException(source + ": '"
                    + DistinguishedName.shown(all.get(0).getSubjectX500Principal())
                    + "' may not issue certificates; trust its issuer '"
                    + DistinguishedName.shown(all.get(0).getIssuerX500Principal())
                    + "', and add this one with: signet certificate add");
        }
        CertificateFolder.requireOneOwner(anchors, source, "two issuers");
        return anchors;
    }

    private void requireForeign(String name) {
        if (home.identityStore().names().contains(name)) {
            throw new KeystoreUnusableException("'" + name + "': is an identity of this home, which trusts it; signet"
                    + " identity renew or import changes its certificate");
        }
    }

    /** Rejects the name of a party for an issuer, because policies would not believe the names that it issues. */
    private void requireNameOfNoParty(String name) {
        if (!new CertificateFolder(home.recipients()).files(name).isEmpty()) {
            throw new KeystoreUnusableException(
                    "'" + name + "': is a party in " + home.recipients() + "; choose another name for the issuer");
        }
    }

    /**
     * Removes a certificate from trust.
     *
     * @throws KeystoreUnusableException if the home has none, or it is an identity of the home
     */
    public void remove(String name) {
        IdentityStore.requireName(name);
        requireForeign(name);
        folder.remove(name, "trust");
    }
}
