/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.util.Optional;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;

/** The place from which the plugin has its policies: a file of its home, or the broker's journal. Not thread-safe. */
interface PolicySource {
    /**
     * Reads the policies if they may have changed.
     *
     * @throws IOException if they cannot be read and none were read before
     * @throws InvalidPolicyException if they are invalid and none were read before
     */
    void look() throws IOException;

    /** Returns whether policies were read. They may not fit the broker yet. */
    boolean isLoaded();

    /** Returns the policies that were read last. */
    PolicySet current();

    /** Returns the reason why changed policies cannot be used; empty if they are in use. */
    Optional<String> problem();

    /** Returns the origin of the policies in force; empty if it is unknown. */
    Optional<ChangeOrigin> origin();
}
