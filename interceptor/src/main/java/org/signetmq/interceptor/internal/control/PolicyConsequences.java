/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.signetmq.policy.PolicySet;

/** Tells an administrator what an accepted change means for the broker. */
@FunctionalInterface
public interface PolicyConsequences {
    /**
     * Adds the consequences to an answer.
     *
     * @param before the policies before the change
     * @param after the policies after the change
     */
    void addTo(ObjectNode answer, PolicySet before, PolicySet after);
}
