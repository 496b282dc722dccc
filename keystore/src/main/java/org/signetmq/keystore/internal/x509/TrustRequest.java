/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.signetmq.keystore.CertificateUse;

/**
 * The question whether a certificate may be used.
 *
 * @param certificate the certificate to be judged
 * @param others certificates that may help to build its path
 * @param use its purpose
 * @param at the time of the use
 */
public record TrustRequest(
        X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
    public TrustRequest {
        others = List.copyOf(others);
    }
}
