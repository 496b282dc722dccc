/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks the recipients and signers that a policy names. Each function takes a name, a DN or a key identifier. It
 * returns the reason why that party cannot be used, or empty if it can. Thread-safe if both functions are.
 *
 * @param recipientProblem returns the reason why no message can be encrypted for the party
 * @param signerProblem returns the reason why the party cannot sign
 * @param withCertificates returns the check for policies that bring these certificates: base64 of DER, by the name of
 *     the party
 */
public record PartyValidator(
        Function<String, Optional<String>> recipientProblem,
        Function<String, Optional<String>> signerProblem,
        Function<Map<String, String>, PartyValidator> withCertificates) {
    /** Creates a validator that certificates of policies do not change. */
    public PartyValidator(
            Function<String, Optional<String>> recipientProblem, Function<String, Optional<String>> signerProblem) {
        this(recipientProblem, signerProblem, texts -> new PartyValidator(recipientProblem, signerProblem));
    }

    /** Returns a validator that accepts every name, to read policies that were checked before. */
    public static PartyValidator acceptAll() {
        return new PartyValidator(recipient -> Optional.empty(), signer -> Optional.empty());
    }
}
