/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;

/**
 * An administrator's request to change the policies in force.
 *
 * @param version the version that the administrator saw; the change is made only if it is still in force
 * @param purpose whether the change is to be made
 * @param origin the administrator
 * @param edit the change
 */
public record PolicyRequest(long version, Purpose purpose, ChangeOrigin origin, Edit edit) {
    /** Tells whether a change is to be made, or only judged. */
    public enum Purpose {
        /** The change is made if it is valid. */
        CHANGE,
        /** The change is judged, and nothing changes. */
        JUDGEMENT
    }

    /** Makes new policies from those in force. */
    @FunctionalInterface
    public interface Edit {
        /**
         * Returns the new policies. Their version does not count, and the plugin checks the names in them later.
         *
         * @throws InvalidPolicyException if the change is not valid
         */
        PolicySet apply(PolicySet policies);
    }
}
