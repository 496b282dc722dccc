/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;

/** The place from which the plugin has its policies: a file of its home, or the broker's journal. Not thread-safe. */
abstract class PolicySource {
    /** The policies that were read last, which may not fit the broker yet; null before. */
    protected @Nullable PolicySet last;

    /**
     * Reads the policies if they may have changed.
     *
     * @throws IOException if they cannot be read and none were read before
     * @throws InvalidPolicyException if they are invalid and none were read before
     */
    abstract void look() throws IOException;

    /** Returns whether policies were read. They may not fit the broker yet. */
    final boolean isLoaded() {
        return last != null;
    }

    /** Returns the policies that were read last. */
    final PolicySet current() {
        if (last == null) {
            throw new IllegalStateException("policies: not loaded");
        }
        return last;
    }

    /** Returns the reason why changed policies cannot be used; null if they are in use. */
    @Nullable
    String problem() {
        return null;
    }

    /** Returns the origin of the policies in force; null if it is unknown. */
    @Nullable
    ChangeOrigin origin() {
        return null;
    }
}
