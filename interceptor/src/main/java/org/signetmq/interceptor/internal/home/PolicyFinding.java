/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

/**
 * Why messages of a policy are rejected, or part of the policy has no effect.
 *
 * @param pattern of the policy
 * @param what the problem
 * @param mend the remedy for the administrator
 */
public record PolicyFinding(String pattern, String what, String mend) {
    /** All of it on one line. */
    @Override
    public String toString() {
        return pattern + ": " + what + "; " + mend;
    }
}
