/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;
import java.util.Set;

/** Knows these names alone. */
record Parties(Set<String> recipients, Set<String> signers) implements KnownParties {
    static final Parties ALICE_AND_BOB = new Parties(Set.of("alice", "bob"), Set.of("alice", "bob"));

    @Override
    public Optional<String> problemWithRecipient(String selector) {
        return recipients.contains(selector) ? Optional.empty() : Optional.of("unknown recipient \"" + selector + "\"");
    }

    @Override
    public Optional<String> problemWithSigner(String selector) {
        return signers.contains(selector) ? Optional.empty() : Optional.of("unknown signer \"" + selector + "\"");
    }
}
