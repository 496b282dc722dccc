/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSContext;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;

/** Sessions of the Artemis client. Needs its classes. */
final class ArtemisSessions {
    private ArtemisSessions() {}

    /** Recovers a session by rolling its acknowledgements back; as the API has it where a pool hides the session. */
    static void recover(ProviderSession session) throws JMSException {
        Object used = session.provider() instanceof ActiveMQJMSContext context
                ? context.getUsedSession()
                : session.provider();
        if (!(used instanceof ActiveMQSession artemis)) {
            session.recover();
            return;
        }
        try {
            artemis.getCoreSession().rollback();
        } catch (ActiveMQException e) {
            JMSException failure = new JMSException("session: cannot be recovered");
            failure.initCause(e);
            throw failure;
        }
    }
}
