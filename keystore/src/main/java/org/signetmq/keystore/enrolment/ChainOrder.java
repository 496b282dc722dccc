/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.IssuerRules;

/** Puts certificates that come in any order into a chain. */
final class ChainOrder {
    /** The most issuers of a certificate. Consumers follow no longer path. */
    static final int MAX_ISSUERS = 4;

    private ChainOrder() {}

    /**
     * Returns the certificate, then its issuers as far as the others have them.
     *
     * @throws KeystoreUnusableException if there are more issuers than consumers follow
     */
    static List<X509Certificate> from(X509Certificate leaf, Collection<X509Certificate> others) {
        List<X509Certificate> chain = new ArrayList<>(List.of(leaf));
        while (!IssuerRules.isSelfIssued(chain.get(chain.size() - 1))) {
            Optional<X509Certificate> issuer = issuer(chain, others);
            if (issuer.isEmpty()) {
                break;
            }
            chain.add(issuer.get());
            if (chain.size() > MAX_ISSUERS + 1) {
                throw new KeystoreUnusableException("chain: more than " + MAX_ISSUERS + " issuers");
            }
        }
        return List.copyOf(chain);
    }

    private static Optional<X509Certificate> issuer(List<X509Certificate> chain, Collection<X509Certificate> others) {
        X509Certificate last = chain.get(chain.size() - 1);
        return others.stream()
                .filter(other -> other.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
                .filter(other -> IssuerRules.mayIssue(other) && !chain.contains(other))
                .filter(other -> CertificateProviders.isSignedBy(last, other.getPublicKey()))
                .findFirst();
    }
}
