/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.UnaryOperator;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.internal.x509.CertificateRules;

/** Adds and removes the certificates of {@code trust/}. Thread-safe. */
public record TrustFolder(Home home, Clock clock) {
    private CertificateFolder folder() {
        return new CertificateFolder(home.trust());
    }

    /**
     * Trusts an issuer, or the self-signed certificate of a party. If the files have a whole chain, only its root is
     * trusted.
     *
     * @throws KeystoreUnusableException if the files have no such certificate, or several
     * @throws org.signetmq.keystore.CertificateRejectedException if a rule rejects the certificate
     */
    public CertificateChange add(String name, List<ImportFile> files) {
        CertificateFolder.requireForeign(home, name);
        List<X509Certificate> all = ImportFile.certificatesAlone(files);
        List<X509Certificate> anchors = anchors(all, ImportFile.sources(files));
        X509Certificate current = anchors.get(0);
        if (PartyRules.isAuthority(current)) {
            PartyRules.requireAuthority(current, clock.instant());
            requireNameOfNoParty(name);
        } else {
            PartyRules.require(current, clock.instant());
        }
        folder().requireSameOwner(name, current);
        return folder().add(name, anchors, all, UnaryOperator.identity(), clock.instant());
    }

    /** Returns the certificates to be trusted, which have one name. */
    private static List<X509Certificate> anchors(List<X509Certificate> all, String source) {
        List<X509Certificate> anchors =
                all.stream().filter(CertificateRules::isSelfIssued).toList();
        if (anchors.isEmpty()) {
            anchors = all.stream().filter(CertificateRules::mayIssue).toList();
        }
        if (anchors.isEmpty()) {
            throw new KeystoreUnusableException(source + ": '"
                    + DistinguishedName.shown(all.get(0))
                    + "' may not issue certificates; trust its issuer '"
                    + DistinguishedName.shown(all.get(0).getIssuerX500Principal())
                    + "', and add this one with: signet certificate add");
        }
        CertificateFolder.requireOneOwner(anchors, source, "two issuers");
        return anchors;
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
        CertificateFolder.requireForeign(home, name);
        folder().remove(name, "trust");
    }
}
