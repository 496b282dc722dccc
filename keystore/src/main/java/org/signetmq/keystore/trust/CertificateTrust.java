/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;

/** Decides whether a certificate may be used. Thread-safe. */
public interface CertificateTrust extends AutoCloseable {
    /**
     * Verifies that a certificate may be used. It must be trusted itself, or have a PKIX path (RFC 5280 section 6) to a
     * trusted one. Its dates, usages and key must be right, and no known revocation list or OCSP answer may revoke it.
     * It never waits for the network.
     *
     * @param others other certificates for the path, at most four
     * @return the certificate, with the trust in its name
     * @throws CertificateRejectedException if it may not be used
     */
    TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at);

    /** Verifies as {@link #verify} does, without a result. */
    default void check(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        var unused = verify(certificate, others, use, at);
    }

    /** Returns the trusted certificates, each under the name of its file. A file may contain several. */
    List<Recipient> trusted();

    /** Returns a number that changes with trusted certificates and revocations, so that callers can cache answers. */
    long version();

    /** Returns the number of signatures of certificates and revocation lists that were verified so far. */
    long signatureVerifications();

    /**
     * Returns the time until which encrypted messages are opened though they do not commit to one key, as those of
     * former versions.
     */
    default Instant uncommittedUntil() {
        return Instant.MIN;
    }

    /**
     * Returns the sources of revocations and their state.
     *
     * @throws KeystoreUnusableException if the settings of trust were never right
     */
    default RevocationReport revocations() {
        return RevocationReport.NONE;
    }

    /**
     * Returns the reasons why the states of the home's own certificates, or of all that a trusted issuer issued, are
     * unknown although the settings require them. Costs verifications, so no thread of messages may call it.
     */
    default List<String> unknownStates(Instant at) {
        return List.of();
    }

    /**
     * Fetches the revocations that are due. Waits for the network, so no thread of messages may call it.
     *
     * @param most the time after which no further address is asked
     */
    default void fetchRevocations(Duration most) throws InterruptedException {}

    /** Ends the fetching of revocations. The trust still answers, by what is known. */
    @Override
    default void close() {}
}
