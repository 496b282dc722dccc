/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;

/** The transaction in which a session receives. Like a session, for one thread at a time. */
public interface ReceivingTransaction {
    /** Prepares the session, before a consumer asks for a message. */
    default void beforeReceiving() throws JMSException {}

    /** Prepares the session, before a consumer gets a listener. */
    default void beforeListening() throws JMSException {}

    void rollback() throws JMSException;
}
