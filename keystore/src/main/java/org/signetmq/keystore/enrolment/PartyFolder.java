/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.internal.x509.CertificateRules;

/** Adds and removes the certificates of other parties in {@code recipients/}. Thread-safe. */
public record PartyFolder(Home home, Clock clock) {
    /** The trust that the home must have in a certificate. */
    public enum Trusting {
        REQUIRED,
        /** The certificate is added all the same. */
        OPTIONAL
    }

    /** Thrown for a certificate that the home does not trust. */
    public static final class UntrustedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient X509Certificate certificate;

        UntrustedException(String message, X509Certificate certificate) {
            super(message);
            this.certificate = certificate;
        }

        /** Returns the certificate. */
        public X509Certificate certificate() {
            return certificate;
        }
    }

    private CertificateFolder folder() {
        return new CertificateFolder(home.recipients());
    }

    /**
     * Adds the certificate of a party, or renews it. The files may have the former certificates of the party behind the
     * current one, and its issuers.
     *
     * @throws KeystoreUnusableException if the files have no certificate of one party
     * @throws UntrustedException if the home does not trust it
     * @throws CertificateRejectedException if a rule rejects the certificate
     */
    public CertificateChange add(String name, List<ImportFile> files, Trusting trusting) {
        CertificateFolder.requireForeign(home, name);
        List<X509Certificate> all = ImportFile.certificatesAlone(files);
        List<X509Certificate> made = certificates(files, clock.instant());
        X509Certificate current = made.get(0);
        folder().requireSameOwner(name, current);
        List<X509Certificate> chain = PartyRules.chain(current, all);
        Optional<String> untrusted = untrusted(home, current, chain.subList(1, chain.size()), clock);
        if (untrusted.isPresent() && trusting == Trusting.REQUIRED) {
            throw new UntrustedException("certificate '" + name + "': " + untrusted.get(), current);
        }
        CertificateChange change = folder().add(name, made, all, PartyFolder::ordered, clock.instant());
        return new CertificateChange(change.kind(), current, change.ignored(), untrusted);
    }

    /**
     * Returns the certificates of the party in these files: the current one, former ones, then its issuers but roots.
     *
     * @throws KeystoreUnusableException if the files have no certificate of one party
     * @throws CertificateRejectedException if a rule rejects the current one
     */
    public static List<X509Certificate> certificates(List<ImportFile> files, Instant now) {
        List<X509Certificate> all = ImportFile.certificatesAlone(files);
        List<X509Certificate> made = new ArrayList<>(own(all, ImportFile.sources(files)));
        PartyRules.require(made.get(0), now);
        PartyRules.chain(made.get(0), all).stream()
                .skip(1)
                .filter(issuer -> !CertificateRules.isSelfIssued(issuer))
                .forEach(made::add);
        return made;
    }

    /**
     * Returns the certificates of a renewed party as its file has them: the new ones, then the earlier ones that have
     * not ended, then the issuers. Those of another owner go.
     */
    public static List<X509Certificate> renewed(List<X509Certificate> made, List<X509Certificate> there, Instant now) {
        DistinguishedName owner = DistinguishedName.of(made.get(0));
        List<X509Certificate> earlier = there.stream()
                .filter(each -> PartyRules.isAuthority(each)
                        || DistinguishedName.of(each).equals(owner))
                .toList();
        return ordered(Stream.concat(made.stream(), CertificateFolder.lasting(made, earlier, now))
                .toList());
    }

    /**
     * Rejects certificates that are not of one party who can use the first of them now, whatever the home trusts.
     *
     * @param certificates the current certificate, then former ones and issuers
     * @throws CertificateRejectedException if a rule rejects the first
     * @throws KeystoreUnusableException if it is that of an issuer, or another party has one of the others
     */
    public static void requireParty(List<X509Certificate> certificates, Instant now) {
        X509Certificate current = certificates.get(0);
        if (PartyRules.isAuthority(current)) {
            throw new KeystoreUnusableException("'" + DistinguishedName.shown(current)
                    + "' is the certificate of an issuer (CA), not of a party; signet trust add trusts an issuer");
        }
        PartyRules.require(current, now);
        CertificateFolder.requireOneOwner(
                certificates.stream()
                        .filter(each -> !PartyRules.isAuthority(each))
                        .toList(),
                "certificates",
                "certificates of two parties");
    }

    /** Returns the reason why the home does not trust a party's certificate now; empty if it does. */
    static Optional<String> untrusted(
            Home home, X509Certificate certificate, List<X509Certificate> issuers, Clock clock) {
        CertificateUse use = CertificateRules.isFor(certificate, CertificateUse.RECEIVING)
                ? CertificateUse.RECEIVING
                : CertificateUse.SIGNING;
        try {
            home.certificateTrust().check(certificate, issuers, use, clock.instant());
            return Optional.empty();
        } catch (CertificateRejectedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Puts issuers behind the party's own certificates. */
    private static List<X509Certificate> ordered(List<X509Certificate> certificates) {
        return certificates.stream()
                .sorted(Comparator.comparing(PartyRules::isAuthority))
                .toList();
    }

    private static List<X509Certificate> own(List<X509Certificate> all, String source) {
        List<X509Certificate> own = all.stream()
                .filter(certificate -> !PartyRules.isAuthority(certificate))
                .toList();
        if (own.isEmpty()) {
            throw new KeystoreUnusableException(source + ": '"
                    + DistinguishedName.shown(all.get(0))
                    + "' is the certificate of an issuer (CA), not of a party; signet trust add trusts an issuer");
        }
        CertificateFolder.requireOneOwner(own, source, "certificates of two parties");
        return own;
    }

    /**
     * Removes the certificates of a party.
     *
     * @throws KeystoreUnusableException if the home has none, or its private key
     */
    public void remove(String name) {
        CertificateFolder.requireForeign(home, name);
        folder().remove(name, "certificate");
    }
}
