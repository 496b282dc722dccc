/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.run;

import org.signetmq.perf.result.Row;

/** What is measured in blocks, by turns with others. */
public interface Contender {
    /** Returns the name in results. */
    String name();

    /** Prepares for the blocks of this group. */
    default void prepare() throws Exception {}

    /** Measures a block. Its column {@code rate} is compared, and {@code cpu_ms} if there is one. */
    Row block() throws Exception;
}
