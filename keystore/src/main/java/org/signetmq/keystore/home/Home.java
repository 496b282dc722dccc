/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;

/**
 * A folder of identities, recipients, trust and policies:
 *
 * <pre>
 * identities/NAME.p12   private key and chain, mode 0600
 * identities/former/NAME.ID.p12    a former key of NAME, which opens messages
 * identities/retired/NAME.ID.p12   a retired key of NAME, which is not used
 * identities/pending/NAME.p12, NAME.csr   a key of NAME without a certificate yet, and the request for one
 * recipients/NAME.pem   certificates of recipients and known signers, the current one first, former ones behind it
 * trust/NAME.pem        trusted roots, former ones too
 * crl/*.crl, *.pem      revocation lists, DER or PEM; optional
 * ocsp/*.der            OCSP answers, DER; optional
 * trust.json            accepted keys and the sources of revocations; optional
 * revocation/           fetched lists and OCSP answers; Signet writes them
 * issued/*.pem          certificates that issuing identities issued, one file for each distinguished name
 * policies.json         policies
 * fetched-policies      the last policies that a client fetched from its broker; Signet writes it
 * officer.pem           certificates of the officers whose keys must sign the policies; optional
 * policies.mark         the mark of policies that a broker stores; see {@link PolicyMark}
 * </pre>
 *
 * @param root the folder, which need not exist yet
 */
public record Home(Path root) {
    public Path identities() {
        return root.resolve("identities");
    }

    /** Returns the folder of former keys. */
    public Path formerKeys() {
        return identities().resolve("former");
    }

    /** Returns the folder of retired keys. */
    public Path retiredKeys() {
        return identities().resolve("retired");
    }

    /** Returns the folder of keys for which a certificate was requested. */
    public Path pendingKeys() {
        return identities().resolve("pending");
    }

    public Path recipients() {
        return root.resolve("recipients");
    }

    public Path trust() {
        return root.resolve("trust");
    }

    public Path crl() {
        return root.resolve("crl");
    }

    public Path ocsp() {
        return root.resolve("ocsp");
    }

    public Path trustSettings() {
        return root.resolve("trust.json");
    }

    /** Returns the folder of fetched lists and OCSP answers. */
    public Path fetchedRevocations() {
        return root.resolve("revocation");
    }

    /** Returns the folder of the record of issued certificates. */
    public Path issued() {
        return root.resolve("issued");
    }

    public Path policies() {
        return root.resolve("policies.json");
    }

    /** Returns the file of the policies that a client fetched from its broker last. */
    public Path fetchedPolicies() {
        return root.resolve("fetched-policies");
    }

    /** Returns the file of the officers' certificates. */
    public Path officer() {
        return root.resolve("officer.pem");
    }

    /**
     * Returns the certificates of the officers; empty if there is no file of them, so policies need no signature.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException if the file cannot be read
     */
    public List<X509Certificate> officers() {
        return Files.notExists(officer(), LinkOption.NOFOLLOW_LINKS) ? List.of() : Pem.readCertificates(officer());
    }

    /** Returns the mark of policies that the broker of this home stores. */
    public PolicyMark policyMark() {
        return new PolicyMark(root);
    }

    /**
     * Returns the recipients and the trust of this home, which notice changed files. If {@code trust.json} says so, a
     * thread begins to fetch revocations. It ends when the caller closes the reader, or nothing refers to it.
     */
    public HomeReader reader() {
        HomeReader reader = new HomeReader(this, System::nanoTime);
        return Files.exists(trustSettings()) ? reader.begin() : reader;
    }

    IdentityFiles identityFiles() {
        return new IdentityFiles(this, CryptoProviders.standard());
    }

    /** Returns a reader that fetches nothing by itself. */
    HomeReader readerByHand() {
        return new HomeReader(this, System::nanoTime, RevocationUpdater.Mode.BY_HAND, Clock.systemUTC());
    }

    /** Returns the recipients of {@link #reader} alone. */
    public RecipientDirectory recipientDirectory() {
        return readerByHand();
    }

    /** Returns the trust of {@link #reader} alone. */
    public CertificateTrust certificateTrust() {
        return reader();
    }

    /**
     * Returns trust in one certificate that a user names, and in what it issues. The revocations of the home hold for
     * it, and {@code trust/} does not count.
     *
     * @param others other certificates that are known, beside those of the home; a key that is revoked under one of
     *     them is revoked
     */
    public CertificateTrust trustIn(X509Certificate named, Collection<X509Certificate> others) {
        HomeReader.Named parties = new HomeReader.Named(named, List.copyOf(others));
        return new HomeReader(this, System::nanoTime, RevocationUpdater.Mode.BY_HAND, Clock.systemUTC(), parties);
    }

    /** Returns trust as {@link #trustIn(X509Certificate, Collection)} does, without other certificates. */
    public CertificateTrust trustIn(X509Certificate named) {
        return trustIn(named, List.of());
    }

    /** Returns the identities of {@code identities/}, with the fastest providers of this machine. */
    public IdentityStore identityStore() {
        return new IdentityStore(this, CryptoProviders.standard(), Clock.systemUTC());
    }
}
