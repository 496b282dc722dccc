/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.Optional;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/** The names by which a home knows the keys that envelopes mention. */
public final class KnownNames {
    private final RecipientDirectory directory;

    private KnownNames(RecipientDirectory directory) {
        this.directory = directory;
    }

    public static KnownNames of(Home home) {
        return new KnownNames(home.recipientDirectory());
    }

    /** The name for {@code ski:HEX} or {@code issuer=DN, serial=HEX}, if the home has a certificate for it. */
    public Optional<String> of(String identifier) {
        return directory.all().stream()
                .filter(recipient -> matches(recipient, identifier))
                .map(Recipient::name)
                .findFirst();
    }

    private static boolean matches(Recipient recipient, String identifier) {
        CertificateFacts facts = new CertificateFacts(recipient.certificate());
        return identifier.equals("ski:" + facts.claimedKeyIdentifier())
                || identifier.equals("issuer=" + facts.issuer() + ", serial=" + facts.serialNumber());
    }
}
