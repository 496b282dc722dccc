/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;
import java.util.function.Function;

/** Says of a recipient or signer that a policy names why it would not do. Implemented by whoever knows certificates. */
public interface KnownParties {
    /** By what says it of recipients and what says it of signers. */
    static KnownParties of(
            Function<String, Optional<String>> recipientProblems, Function<String, Optional<String>> signerProblems) {
        return new KnownParties() {
            @Override
            public Optional<String> problemWithRecipient(String selector) {
                return recipientProblems.apply(selector);
            }

            @Override
            public Optional<String> problemWithSigner(String selector) {
                return signerProblems.apply(selector);
            }
        };
    }

    /** Takes every name for good: to read policies that somebody else judged. */
    static KnownParties anybody() {
        return of(recipient -> Optional.empty(), signer -> Optional.empty());
    }

    /** Why messages cannot be encrypted for this name, DN or key identifier; empty if they can. */
    Optional<String> problemWithRecipient(String selector);

    /** Why nobody can sign as this name, DN or key identifier; empty if somebody can. */
    Optional<String> problemWithSigner(String selector);
}
