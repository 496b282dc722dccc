/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * Acknowledges messages after they were opened, and gives others back to the broker. Like a session, for one thread at
 * a time.
 */
public interface Acknowledging {
    void acknowledge(Message arrived) throws JMSException;

    /** Gives an unacknowledged message back, so that the broker counts one delivery of this message only. */
    void giveBack(Message arrived) throws JMSException;

    /** Gives all unacknowledged messages back. */
    void recover() throws JMSException;
}
