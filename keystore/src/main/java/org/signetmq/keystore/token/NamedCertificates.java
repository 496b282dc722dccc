/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.names.FormerCertificates;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.IssuerRules;

/**
 * The certificates that a home has under the name of an identity. They tell which keys of a token belong to the
 * identity, and which of them is the current one. Immutable.
 *
 * @param own the certificates of its keys in the order of {@code recipients/NAME.pem}, then of {@code trust/NAME.pem}
 * @param issuers all certificates of these files
 */
record NamedCertificates(List<X509Certificate> own, List<X509Certificate> issuers) {
    static final NamedCertificates NONE = new NamedCertificates(List.of(), List.of());

    private static final int MOST_ISSUERS = 4;

    NamedCertificates {
        own = List.copyOf(own);
        issuers = List.copyOf(issuers);
    }

    /**
     * Reads the files of a name.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException if the name is not one of an identity, or a file cannot
     *     be read
     */
    static NamedCertificates of(Home home, String name) {
        IdentityStore.requireName(name);
        Set<X509Certificate> own = new LinkedHashSet<>();
        Set<X509Certificate> all = new LinkedHashSet<>();
        for (Path folder : List.of(home.recipients(), home.trust())) {
            Path file = folder.resolve(name + ".pem");
            if (Files.exists(file)) {
                List<X509Certificate> read = Pem.readCertificates(file);
                own.addAll(FormerCertificates.withCurrent(read));
                all.addAll(read);
            }
        }
        return new NamedCertificates(List.copyOf(own), List.copyOf(all));
    }

    /** Returns whether the home has a certificate of a key. */
    boolean hasKey(PublicKeyInfo key) {
        return own.stream().map(PublicKeyInfo::of).anyMatch(key::equals);
    }

    /**
     * Returns the chain of a certificate. It takes the place of that in the token, so the token keeps the certificate
     * that its key was made with.
     *
     * @param inToken the certificates in the token: that of the key first, then its issuers
     */
    List<X509Certificate> chain(X509Certificate leaf, List<X509Certificate> inToken) {
        if (leaf.equals(inToken.get(0)) && inToken.size() > 1) {
            return inToken;
        }
        List<X509Certificate> chain = new ArrayList<>(List.of(leaf));
        while (chain.size() <= MOST_ISSUERS && !IssuerRules.isSelfIssued(chain.get(chain.size() - 1))) {
            X509Certificate last = chain.get(chain.size() - 1);
            Optional<X509Certificate> issuer = Stream.concat(issuers.stream(), inToken.stream())
                    .filter(other -> other.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
                    .filter(other -> IssuerRules.mayIssue(other) && !chain.contains(other))
                    .filter(other -> CertificateProviders.isSignedBy(last, other.getPublicKey()))
                    .findFirst();
            if (issuer.isEmpty()) {
                break;
            }
            chain.add(issuer.get());
        }
        return List.copyOf(chain);
    }
}
