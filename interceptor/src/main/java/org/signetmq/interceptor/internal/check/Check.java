/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

/** A check of one area. */
@FunctionalInterface
interface Check {
    /**
     * Adds what is wrong.
     *
     * @throws Exception if the broker does not tell it
     */
    void look(Findings found) throws Exception;
}
