/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.signetmq.perf.result.Result;

/** The work of the clients of one load. */
interface Work {
    /** Returns what each participant does, until all is over. Each has a connection of its own. */
    List<Callable<Void>> participants(Connections connections) throws JMSException;

    /** Prepares for work that does not count. */
    default void beginRamp() {}

    /** Prepares for work that counts. */
    default void beginMeasured() {}

    /**
     * Returns further figures of the work that counted.
     *
     * @param micros the latencies of what was done
     */
    default Result figures(Histogram micros, double seconds) {
        return Result.EMPTY;
    }
}
