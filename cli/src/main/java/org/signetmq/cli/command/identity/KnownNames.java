/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;

/**
 * The names by which a home knows the keys that envelopes mention.
 *
 * @param home the home
 */
public record KnownNames(Home home) {
    /** Returns the name for {@code ski:HEX} or {@code issuer=DN, serial=HEX}, if the home has a certificate for it. */
    public Optional<String> of(String identifier) {
        return home.recipientDirectory().all().stream()
                .filter(recipient -> matches(recipient.certificate(), identifier))
                .map(Recipient::name)
                .findFirst();
    }

    private static boolean matches(X509Certificate certificate, String identifier) {
        CertificateFacts facts = CertificateFacts.of(certificate);
        return identifier.equals("ski:" + KeyIdentifier.of(certificate)) // the one that the certificate claims
                || identifier.equals("issuer=" + facts.issuer() + ", serial=" + facts.serialNumber());
    }
}
