/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * The only consumer of a provider's session in AUTO_ACKNOWLEDGE, or a consumer of an XA session. It receives without
 * acknowledging, so that its caller acknowledges what it could open. Like a session, for one thread at a time.
 */
public interface DirectConsumer {
    void acknowledge(Message arrived) throws JMSException;

    /** Gives an unacknowledged message back, so that the broker counts one delivery of this message only. */
    void giveBack(Message arrived) throws JMSException;

    /** Gives all unacknowledged messages back. */
    void recover() throws JMSException;

    /** Returns the provider's consumer. */
    MessageConsumer consumer();

    /** Returns the receiving call. */
    ReceiveTimeout.Call receiving();

    /** Returns a listener for the provider's consumer that calls this one, which acknowledges each message itself. */
    MessageListener listening(MessageListener listener);

    /** Sets the listener of a consumer in an XA session. It gets each message before the library acknowledges it. */
    void listenInXa(@Nullable MessageListener listener) throws JMSException;

    /** Makes the direct consumers of one connection. Thread-safe. */
    interface Maker {
        /** Makes the consumer of a session that has no other one, or that is an XA session. */
        DirectConsumer make(Session session, Destination destination, Creation creation) throws JMSException;
    }

    /** Creates a provider's consumer. */
    @FunctionalInterface
    interface Creation {
        MessageConsumer on(Session session) throws JMSException;
    }
}
