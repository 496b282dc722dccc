/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.JMSException;

/** Someone with a thread of its own. */
@FunctionalInterface
interface Participant {
    /** Does what it is there for, until it is over. */
    void participate(Watch watch) throws JMSException, InterruptedException;
}
