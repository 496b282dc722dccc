/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Says before any message is sent why a recipient or signer that a policy names cannot work. Thread-safe. */
public final class PartyCheck {
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final Clock clock;

    /** A check against these, by the system's clock. */
    public PartyCheck(RecipientDirectory directory, CertificateTrust trust) {
        this(directory, trust, Clock.systemUTC());
    }

    PartyCheck(RecipientDirectory directory, CertificateTrust trust, Clock clock) {
        this.directory = directory;
        this.trust = trust;
        this.clock = clock;
    }

    /** Why no message can be encrypted for the selector now. Empty if it can. */
    public Optional<String> problemWithRecipient(String selector) {
        return problem(selector, CertificateUse.RECEIVING);
    }

    /**
     * Why no signature of the selector can be accepted now. Empty if it can. A DN that is in no file is fine: its
     * certificate may come with the message.
     */
    public Optional<String> problemWithSigner(String selector) {
        boolean dn = Selector.parse(selector)
                .filter(parsed -> parsed instanceof Selector.ByDn)
                .isPresent();
        if (dn && directory.find(selector).isEmpty()) {
            return Optional.empty();
        }
        return problem(selector, CertificateUse.SIGNING);
    }

    private Optional<String> problem(String selector, CertificateUse use) {
        Optional<Recipient> found = directory.find(selector);
        if (found.isEmpty()) {
            return Optional.of(missing(selector));
        }
        try {
            trust.check(found.get().certificate(), List.of(), use, clock.instant());
            return Optional.empty();
        } catch (CertificateRejectedException e) {
            return Optional.of("'" + selector + "' cannot be used: " + e.getMessage());
        }
    }

    private String missing(String text) {
        Optional<Selector> selector = Selector.parse(text);
        if (selector.isEmpty()) {
            return "'" + text + "' is neither a name, a DN (RFC 4514) nor 'ski:' with hex digits";
        }
        if (selector.get() instanceof Selector.ByName) {
            List<String> names = directory.all().stream().map(Recipient::name).toList();
            return "no certificate named '" + text + "' in recipients/" + Nearest.hint(text, names);
        }
        return "no certificate of '" + text + "' in recipients/";
    }
}
