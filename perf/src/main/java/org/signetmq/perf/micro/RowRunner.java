/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.util.List;

/** Measures rows, in whatever processes. */
@FunctionalInterface
interface RowRunner {
    /** One result for each row, in order; one that failed says so, an exception says it of all. */
    List<Measured> measure(Depth depth, List<RowCatalog.Entry> rows) throws IOException, InterruptedException;
}
