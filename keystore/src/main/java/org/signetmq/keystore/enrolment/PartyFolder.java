/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.internal.x509.IssuerRules;

/** Adds and removes the certificates of other parties in {@code recipients/}. Thread-safe. */
public final class PartyFolder {
    private final Home home;
    private final CertificateFolder folder;
    private final Clock clock;

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

    /** Returns the parties of a home. */
    public PartyFolder(Home home, Clock clock) {
        this.home = home;
        this.folder = new CertificateFolder(home.recipients());
        this.clock = clock;
    }

    /**
     * Adds the certificate of a party, or renews it. The files may have the former certificates of the party behind the
     * current one, and its issuers.
     *
     * @throws KeystoreUnusableException if the files have no certificate of one party
     * @throws UntrustedException if the home does not trust it
     * @throws org.signetmq.keystore.CertificateRejectedException if a rule rejects the certificate
     */
    public CertificateChange add(String name, List<ImportFile> files, Trusting trusting) {
        IdentityStore.requireName(name);
        requireForeign(name);
        files.forEach(ImportFile::requireNoPrivateKey);
        List<X509Certificate> all = ImportFile.certificates(files);
        List<X509Certificate> own = own(all, files);
        X509Certificate current = own.get(0);
        PartyRules.require(current, clock.instant());
        List<X509Certificate> there = folder.certificates(name);
        folder.requireSameOwner(name, current, there);
        List<X509Certificate> chain = ChainOrder.from(current, all);
        Optional<String> untrusted = untrusted(home, current, chain.subList(1, chain.size()), clock);
        if (untrusted.isPresent() && trusting == Trusting.REQUIRED) {
            throw new UntrustedException("certificate '" + name + "': " + untrusted.get(), current);
        }
        List<X509Certificate> made = new ArrayList<>(own);
        chain.stream()
                .skip(1)
                .filter(issuer -> !IssuerRules.isSelfIssued(issuer))
                .forEach(made::add);
        List<X509Certificate> ignored =
                all.stream().filter(certificate -> !made.contains(certificate)).toList();
        if (!there.isEmpty() && there.get(0).equals(current) && there.containsAll(made)) {
            return new CertificateChange(CertificateChange.Kind.NONE, current, ignored, untrusted);
        }
        folder.write(name, ordered(CertificateFolder.renewed(made, there, clock.instant())));
        return new CertificateChange(
                there.isEmpty() ? CertificateChange.Kind.NEW : CertificateChange.Kind.RENEWED,
                current,
                ignored,
                untrusted);
    }

    /** Returns the reason why the home does not trust a party's certificate now; empty if it does. */
    static Optional<String> untrusted(
            Home home, X509Certificate certificate, List<X509Certificate> issuers, Clock clock) {
        CertificateUse use = PartyRules.isFor(certificate, CertificateUse.RECEIVING)
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
        List<X509Certificate> ordered = new ArrayList<>(
                certificates.stream().filter(PartyFolder::isOfParty).toList());
        certificates.stream().filter(certificate -> !isOfParty(certificate)).forEach(ordered::add);
        return ordered;
    }

    private static boolean isOfParty(X509Certificate certificate) {
        return !PartyRules.isAuthority(certificate);
    }

    private static List<X509Certificate> own(List<X509Certificate> all, List<ImportFile> files) {
        String source = files.stream().map(ImportFile::source).collect(Collectors.joining(", "));
        if (all.isEmpty()) {
            throw new KeystoreUnusableException(source + ": holds no certificate");
        }
        List<X509Certificate> own = all.stream().filter(PartyFolder::isOfParty).toList();
        if (own.isEmpty()) {
            throw new KeystoreUnusableException(source + ": '"
                    + DistinguishedName.shown(all.get(0).getSubjectX500Principal())
                    + "' is the certificate of an issuer (CA), not of a party; signet trust add trusts an issuer");
        }
        CertificateFolder.requireOneOwner(own, source, "certificates of two parties");
        return own;
    }

    private void requireForeign(String name) {
        if (home.identityStore().names().contains(name)) {
            throw new KeystoreUnusableException("'" + name + "': is an identity of this home; signet identity renew or"
                    + " import changes its certificate");
        }
    }

    /**
     * Removes the certificates of a party.
     *
     * @throws KeystoreUnusableException if the home has none, or its private key
     */
    public void remove(String name) {
        IdentityStore.requireName(name);
        requireForeign(name);
        folder.remove(name, "certificate");
    }
}
