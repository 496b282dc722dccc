/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.KnownParties;

/** Judges whom a policy names by the certificates of a home. */
final class HomeParties implements KnownParties {
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final Clock clock;

    HomeParties(Home home, Clock clock) {
        this.directory = home.recipientDirectory();
        this.trust = home.certificateTrust();
        this.clock = clock;
    }

    /** Takes every name for good: to read policies that somebody else judged. */
    static KnownParties anybody() {
        return new KnownParties() {
            @Override
            public Optional<String> problemWithRecipient(String selector) {
                return Optional.empty();
            }

            @Override
            public Optional<String> problemWithSigner(String selector) {
                return Optional.empty();
            }
        };
    }

    @Override
    public Optional<String> problemWithRecipient(String selector) {
        return directory
                .find(selector)
                .map(recipient -> rejection(recipient, CertificateUse.RECEIVING))
                .orElseGet(() -> Optional.of("unknown recipient '" + selector + "'; " + knownNames()));
    }

    @Override
    public Optional<String> problemWithSigner(String selector) {
        Optional<Recipient> signer = directory.find(selector);
        if (signer.isPresent()) {
            return rejection(signer.get(), CertificateUse.SIGNING);
        }
        // whoever has that DN or key may come with a certificate of a trusted issuer
        return selector.startsWith("ski:") || isDistinguishedName(selector)
                ? Optional.empty()
                : Optional.of("unknown signer '" + selector + "'; " + knownNames());
    }

    private Optional<String> rejection(Recipient party, CertificateUse use) {
        try {
            trust.check(party.certificate(), List.of(), use, clock.instant());
            return Optional.empty();
        } catch (CertificateRejectedException e) {
            return Optional.of("'" + party.name() + "' will not do: " + e.getMessage());
        }
    }

    private String knownNames() {
        String names = directory.all().stream().map(Recipient::name).collect(Collectors.joining(", "));
        return names.isEmpty() ? "the home knows nobody" : "known are " + names;
    }

    private static boolean isDistinguishedName(String selector) {
        try {
            return !new LdapName(selector).isEmpty();
        } catch (InvalidNameException e) {
            return false;
        }
    }
}
