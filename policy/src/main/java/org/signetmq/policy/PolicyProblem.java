/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/**
 * One problem of a policy.
 *
 * @param path the place as a JSON path, such as {@code policies[2].key-reuse}
 * @param message the problem, the value found and the remedy
 */
public record PolicyProblem(String path, String message) {
    @Override
    public String toString() {
        return path + ": " + message;
    }
}
