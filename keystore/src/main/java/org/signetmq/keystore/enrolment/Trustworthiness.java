/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.home.Home;

/** Asks the trust of a home about a certificate. */
final class Trustworthiness {
    private Trustworthiness() {}

    /** Returns the reason why the home does not trust a party's certificate now; empty if it does. */
    static Optional<String> problem(Home home, X509Certificate certificate, Clock clock) {
        return problem(home, certificate, List.of(), clock);
    }

    static Optional<String> problem(
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
}
