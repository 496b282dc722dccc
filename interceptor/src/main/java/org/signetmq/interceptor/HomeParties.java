/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Optional;
import org.signetmq.keystore.PartyCheck;
import org.signetmq.policy.KnownParties;

/**
 * Says by the certificates of a home what policies may name.
 *
 * @param check knows the certificates
 */
record HomeParties(PartyCheck check) implements KnownParties {
    @Override
    public Optional<String> problemWithRecipient(String selector) {
        return check.problemWithRecipient(selector);
    }

    @Override
    public Optional<String> problemWithSigner(String selector) {
        return check.problemWithSigner(selector);
    }
}
