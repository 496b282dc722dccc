/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;

/**
 * A folder of identities, recipients, trust and policies:
 *
 * <pre>
 * identities/NAME.p12   private key and chain, mode 0600
 * recipients/NAME.pem   certificates of recipients and known signers
 * trust/NAME.pem        trusted roots
 * crl/*.crl, *.pem      revocation lists, DER or PEM; optional
 * ocsp/*.der            OCSP answers, DER; optional
 * trust.json            accepted keys and the sources of revocations; optional
 * revocation/           fetched lists and OCSP answers; Signet writes them
 * policies.json         policies
 * </pre>
 *
 * @param root the folder, which need not exist yet
 */
public record Home(Path root) {
    public Path identities() {
        return root.resolve("identities");
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

    public Path policies() {
        return root.resolve("policies.json");
    }

    /** Returns the directory of {@code recipients/}, which notices changed files. */
    public RecipientDirectory recipientDirectory() {
        return new FolderRecipientDirectory(recipients(), Clock.systemUTC(), System::nanoTime);
    }

    /**
     * Returns the trust of {@code trust/} and {@code crl/}, which notices changed files. If {@code trust.json} says so,
     * a thread begins to fetch revocations. It ends when the caller closes the trust, or nothing refers to it.
     */
    public CertificateTrust certificateTrust() {
        FolderTrust trust = new FolderTrust(this, System::nanoTime);
        if (Files.exists(trustSettings())) {
            trust.begin();
        }
        return trust;
    }

    /**
     * Returns trust in one certificate that a user names, and in what it issues. The revocation lists of {@code crl/}
     * hold for it, and {@code trust/} does not count.
     */
    public CertificateTrust trustIn(X509Certificate named) {
        return new NamedTrust(this, named);
    }

    /** Returns the identities of {@code identities/}, with the fastest providers of this machine. */
    public IdentityStore identityStore() {
        return identityStore(CryptoProviders.standard());
    }

    /** Returns the identities of {@code identities/}, with these providers. */
    public IdentityStore identityStore(CryptoProviders providers) {
        return new IdentityStore(this, providers, Clock.systemUTC());
    }
}
