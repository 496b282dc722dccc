/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;
import java.util.function.Function;

/** Says of a recipient or signer that a policy names why it would not do. A registry of certificates implements it. */
public interface KnownParties {
    /** Joins the judges of recipients and of signers. */
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

    /** Accepts every name, to read policies that were judged before. */
    static KnownParties anybody() {
        return of(recipient -> Optional.empty(), signer -> Optional.empty());
    }

    /** Why messages cannot be encrypted for this name, DN or key identifier; empty if they can. */
    Optional<String> problemWithRecipient(String selector);

    /** Returns the reason why this name, DN or key identifier cannot sign; empty if it can. */
    Optional<String> problemWithSigner(String selector);
}
