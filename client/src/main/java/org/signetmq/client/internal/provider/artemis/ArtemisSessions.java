/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.artemis;

import jakarta.jms.JMSException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSContext;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.signetmq.client.internal.provider.ProviderSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sessions of the Artemis client. Needs its classes. */
public final class ArtemisSessions {
    /** One that there need not be. */
    private static final SimpleString ANY_QUEUE = SimpleString.of("signet");

    private static final Logger LOG = LoggerFactory.getLogger(ArtemisSessions.class);

    private ArtemisSessions() {}

    /** Recovers a session by rolling its acknowledgements back; as the API has it where a pool hides the session. */
    public static void recover(ProviderSession session) throws JMSException {
        Object used = session.provider() instanceof ActiveMQJMSContext context
                ? context.getUsedSession()
                : session.provider();
        if (!(used instanceof ActiveMQSession artemis)) {
            session.recover();
            return;
        }
        try {
            awaitResponses(artemis.getCoreSession());
            artemis.getCoreSession().rollback();
        } catch (ActiveMQException e) {
            JMSException failure = new JMSException("session: cannot be recovered");
            failure.initCause(e);
            throw failure;
        }
    }

    /**
     * Waits until the broker has answered everything so far. An acknowledgement in CLIENT_ACKNOWLEDGE is a commit whose
     * answer the client does not wait for: it takes that answer for the one to its next request. A rollback begins with
     * the request to deliver no more; if it goes on before the broker has heard that, a message of the time before is
     * left in the client. Acknowledged, it takes those before it along. A query is safe: its answer is of another kind.
     */
    private static void awaitResponses(ClientSession session) {
        try {
            session.queueQuery(ANY_QUEUE);
        } catch (ActiveMQException earlier) {
            LOG.debug("the broker rejected an acknowledgement: {}", earlier.getMessage()); // it is rolled back as well
        }
    }
}
