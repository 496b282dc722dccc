/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.internal.folder.CertificateFolders;
import org.signetmq.keystore.internal.folder.CheckedFolder;
import org.signetmq.keystore.internal.folder.FolderRecipientDirectory;
import org.signetmq.keystore.internal.folder.FolderTrust;
import org.signetmq.keystore.internal.folder.NamedTrust;
import org.signetmq.keystore.trust.CertificateTrust;

/**
 * A folder of identities, recipients, trust and policies:
 *
 * <pre>
 * identities/NAME.p12   private key and chain, mode 0600
 * identities/former/NAME.ID.p12    a former key of NAME, which opens messages
 * identities/retired/NAME.ID.p12   a retired key of NAME, which is not used
 * recipients/NAME.pem   certificates of recipients and known signers, the current one first, former ones behind it
 * trust/NAME.pem        trusted roots, former ones too
 * crl/*.crl, *.pem      revocation lists, DER or PEM; optional
 * policies.json         policies
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

    public Path recipients() {
        return root.resolve("recipients");
    }

    public Path trust() {
        return root.resolve("trust");
    }

    public Path crl() {
        return root.resolve("crl");
    }

    public Path policies() {
        return root.resolve("policies.json");
    }

    CertificateFolders certificateFolders() {
        return new CertificateFolders(checked(trust()), checked(crl()), checked(recipients()));
    }

    static CheckedFolder checked(Path folder) {
        return new CheckedFolder(folder, PermissionCheck::requireSafe);
    }

    /** Returns the directory of {@code recipients/}, which notices changed files. */
    public RecipientDirectory recipientDirectory() {
        return new FolderRecipientDirectory(checked(recipients()), Clock.systemUTC(), System::nanoTime);
    }

    /** Returns the trust of {@code trust/} and {@code crl/}, which notices changed files. */
    public CertificateTrust certificateTrust() {
        return new FolderTrust(certificateFolders(), System::nanoTime);
    }

    /**
     * Returns trust in one certificate that a user names, and in what it issues. The revocation lists of {@code crl/}
     * hold for it, and {@code trust/} does not count.
     */
    public CertificateTrust trustIn(X509Certificate named) {
        return new NamedTrust(checked(crl()), certificateTrust(), named);
    }

    /**
     * Returns all keys of an identity, also those that are put into the home later.
     *
     * @param password the password of its key stores; the caller closes it, and the watch keeps a copy until it is
     *     closed
     * @throws org.signetmq.keystore.KeystoreUnusableException if the current key cannot be loaded
     */
    public IdentityWatch watchIdentity(String name, Password password) {
        return new IdentityWatch(new IdentityFiles(this, CryptoProviders.standard()), name, password, System::nanoTime);
    }

    /** Returns the identities of {@code identities/}, with the fastest providers of this machine. */
    public IdentityStore identityStore() {
        return identityStore(CryptoProviders.standard());
    }

    /** Returns the identities of {@code identities/}, with these providers. */
    public IdentityStore identityStore(CryptoProviders providers) {
        return new IdentityStore(this, providers, Clock.systemUTC(), () -> {});
    }
}
