/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;
import java.util.Set;

/** The parties of the tests. */
public final class Parties {
    private static final Set<String> NAMES = Set.of("alice", "bob");

    /** Knows alice and bob alone. */
    public static final PartyValidator ALICE_AND_BOB =
            new PartyValidator(name -> problem("recipient", name), name -> problem("signer", name));

    private Parties() {}

    private static Optional<String> problem(String kind, String name) {
        return NAMES.contains(name) ? Optional.empty() : Optional.of("unknown " + kind + " \"" + name + "\"");
    }
}
