/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.provider.ReceiveTimeout;

/** The transaction in which a session receives. Like a session, for one thread at a time. */
public interface ReceivingTransaction {
    /** Prepares the session, before a consumer asks for a message. */
    default void beforeReceiving() throws JMSException {}

    /** Returns the calls to ask with, after {@link #beforeReceiving}. */
    default ReceiveTimeout.Calls calls(ReceiveTimeout.Calls calls) {
        return calls;
    }

    /**
     * Ends what {@link #beforeReceiving} began.
     *
     * @param message the message that the application gets if this call does not throw; null if it gets none
     */
    default void afterReceiving(@Nullable ReceivedMessage message) throws JMSException {}

    /** Prepares the session, before a consumer gets a listener. */
    default void beforeListening() throws JMSException {}

    void rollback() throws JMSException;
}
