/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import java.util.Optional;
import java.util.function.Function;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.internal.match.AddressCache;

/** Asks a validator once for each name, because many policies of a document name the same parties. */
final class RememberedParties {
    private static final int MOST_NAMES = 10_000;

    private RememberedParties() {}

    static PartyValidator of(PartyValidator known) {
        return new PartyValidator(remembered(known.recipientProblem()), remembered(known.signerProblem()));
    }

    private static Function<String, Optional<String>> remembered(Function<String, Optional<String>> problem) {
        AddressCache<Optional<String>> answers = new AddressCache<>(MOST_NAMES);
        return name -> answers.get(name, problem);
    }
}
