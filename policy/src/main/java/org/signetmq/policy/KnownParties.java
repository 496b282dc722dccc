/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;

/** Says of a recipient or signer that a policy names why it would not do. Implemented by whoever knows certificates. */
public interface KnownParties {
    /** Why messages cannot be encrypted for this name, DN or key identifier; empty if they can. */
    Optional<String> problemWithRecipient(String selector);

    /** Why nobody can sign as this name, DN or key identifier; empty if somebody can. */
    Optional<String> problemWithSigner(String selector);
}
