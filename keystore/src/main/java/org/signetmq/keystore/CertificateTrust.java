/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;

/** Decides whether a certificate may be used. Thread-safe. */
public interface CertificateTrust {
    /**
     * Returns if the certificate may be used: it is one of the trusted certificates itself or a PKIX path (RFC 5280
     * section 6) leads to one; its dates, key usage and key are right; no CRL in the home revokes it.
     *
     * @param others certificates that may help to build the path; need not be trusted
     * @throws CertificateRejectedException if not
     */
    void check(X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at);

    /** A number that changes when trust or CRLs do, so that answers may be cached. */
    long version();
}
