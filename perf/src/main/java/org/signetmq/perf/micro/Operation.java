/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

/** What a row measures: one call is one operation. Shared by the threads of a run. */
@FunctionalInterface
public interface Operation {
    /** Does it once; the result is kept from being optimised away. */
    Object run() throws Exception;
}
