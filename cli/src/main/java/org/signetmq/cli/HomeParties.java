/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.Optional;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.PartyCheck;
import org.signetmq.policy.KnownParties;

/** Judges whom a policy names by the certificates of a home. */
record HomeParties(PartyCheck check) implements KnownParties {
    static HomeParties of(Home home) {
        return new HomeParties(new PartyCheck(home.recipientDirectory(), home.certificateTrust()));
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
        return check.problemWithRecipient(selector);
    }

    @Override
    public Optional<String> problemWithSigner(String selector) {
        return check.problemWithSigner(selector);
    }
}
