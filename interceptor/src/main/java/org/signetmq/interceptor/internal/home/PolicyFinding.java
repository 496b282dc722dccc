/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

/**
 * A problem of a policy.
 *
 * @param pattern the pattern of the policy
 * @param weight the weight of the problem
 * @param problem the problem
 * @param remedy the remedy for the administrator
 */
public record PolicyFinding(String pattern, Weight weight, String problem, String remedy) {
    /** The weight of a problem. */
    public enum Weight {
        /** The plugin rejects messages because of it, or a part of the policy has no effect. */
        FAILURE,
        /**
         * The plugin applies the policy as it is written, which rejects more messages than an administrator may mean.
         */
        WARNING
    }

    public boolean isFailure() {
        return weight == Weight.FAILURE;
    }

    /** Returns pattern, problem and remedy on one line. */
    @Override
    public String toString() {
        return pattern + ": " + problem + "; " + remedy;
    }
}
