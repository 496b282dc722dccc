/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** How a session gives an unacknowledged message back so that the broker counts it as a failed delivery. */
interface GivingBack {
    void giveBack(Message arrived, ProviderSession session) throws JMSException;

    /** What the API offers: all unacknowledged messages of the session are delivered again. */
    GivingBack RECOVERING = (arrived, session) -> session.recover();

    /**
     * Qpid JMS recovers within the client, where the broker neither counts nor ever gives up. It takes the outcome of a
     * delivery as a property of the message: here AMQP 1.0's modified with delivery-failed (section 3.4.5).
     */
    GivingBack QPID = (arrived, session) -> {
        arrived.setIntProperty("JMS_AMQP_ACK_TYPE", 4);
        arrived.acknowledge();
    };

    static GivingBack of(Message arrived) {
        return arrived.getClass().getName().startsWith("org.apache.qpid.jms.") ? QPID : RECOVERING;
    }
}
