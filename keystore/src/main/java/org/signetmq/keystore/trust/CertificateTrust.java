/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;

/** Decides whether a certificate may be used. Thread-safe. */
public interface CertificateTrust {
    /**
     * Accepts a certificate that may be used. It is one of the trusted certificates itself, or a PKIX path (RFC 5280
     * section 6) leads to one. Its dates, usages and key are right, and no CRL in the home revokes it.
     *
     * @param others certificates that may help to build the path; at most four besides the certificate itself
     * @return the certificate and its name's trust
     * @throws CertificateRejectedException if it may not be used
     */
    TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at);

    /** As {@link #verify}, without an answer. */
    default void check(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        var unused = verify(certificate, others, use, at);
    }

    /** The trusted certificates, each under the name of its file. A file may hold several. */
    List<Recipient> trusted();

    /** A number that changes when trust or CRLs do, so that answers may be cached. */
    long version();

    /** How many signatures on certificates and revocation lists were verified so far. */
    long signatureVerifications();
}
