/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

/**
 * A problem of a policy. The plugin rejects messages because of it, or a part of the policy has no effect.
 *
 * @param pattern the pattern of the policy
 * @param problem the problem
 * @param remedy the remedy for the administrator
 */
public record PolicyFinding(String pattern, String problem, String remedy) {
    /** Returns pattern, problem and remedy on one line. */
    @Override
    public String toString() {
        return pattern + ": " + problem + "; " + remedy;
    }
}
