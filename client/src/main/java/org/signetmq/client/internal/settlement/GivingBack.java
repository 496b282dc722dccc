/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.artemis.ArtemisSessions;

/** How a session gives unacknowledged messages back so that the broker counts them, and no others, as delivered. */
public interface GivingBack {
    void giveBack(Message arrived, ProviderSession session) throws JMSException;

    /** What the API offers: all unacknowledged messages of the session are delivered again. */
    GivingBack RECOVERING = (arrived, session) -> session.recover();

    /**
     * Artemis's recover counts, besides, the first message that waits in the client as delivered: a sound message
     * behind a bad one would end in the dead-letter queue. Its rollback does not.
     */
    GivingBack ARTEMIS = (arrived, session) -> ArtemisSessions.recover(session);

    /**
     * Qpid JMS recovers within the client, where the broker neither counts nor ever gives up. It takes the outcome of a
     * delivery as a property of the message: here AMQP 1.0's modified with delivery-failed (section 3.4.5).
     */
    GivingBack QPID = (arrived, session) -> {
        arrived.setIntProperty("JMS_AMQP_ACK_TYPE", 4);
        arrived.acknowledge();
    };

    String ARTEMIS_CLIENT = "org.apache.activemq.artemis.jms.client.";

    static GivingBack of(Message arrived) {
        String name = arrived.getClass().getName();
        if (name.startsWith(ARTEMIS_CLIENT)) {
            return ARTEMIS;
        } else if (name.startsWith("org.apache.qpid.jms.")) {
            return QPID;
        } else {
            return RECOVERING;
        }
    }

    /** Recovers because the application asks for it. */
    static void recover(ProviderSession session) throws JMSException {
        if (session.provider().getClass().getName().startsWith(ARTEMIS_CLIENT)) {
            ArtemisSessions.recover(session);
        } else {
            session.recover();
        }
    }
}
