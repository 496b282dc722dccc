/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.signetmq.client.internal.settlement.ListenerGate;

/**
 * A provider's consumer with its receiving calls.
 *
 * @param listening sets the listener
 * @param closing closes the consumer
 */
record ReceivingConsumer(
        MessageConsumer consumer, ReceiveTimeout.Calls calls, Listening listening, ListenerGate.Call closing) {
    /** Sets or removes the listener of a consumer. */
    interface Listening {
        void set(@Nullable MessageListener listener) throws JMSException;
    }

    /** Returns a consumer that follows the API. */
    static ReceivingConsumer of(MessageConsumer consumer) {
        return new ReceivingConsumer(
                consumer, ReceiveTimeout.Calls.of(consumer), consumer::setMessageListener, consumer::close);
    }

    /** Returns a direct consumer of an XA session. */
    static ReceivingConsumer of(DirectConsumer direct, SignetXAResource resource) {
        MessageConsumer consumer = direct.consumer();
        return new ReceivingConsumer(
                consumer,
                ReceiveTimeout.Calls.of(consumer),
                listener -> direct.listenInXa(listener == null ? null : resource.joining(direct, listener)),
                consumer::close);
    }

    /**
     * Returns a direct consumer.
     *
     * @param closed runs after the consumer was closed
     */
    static ReceivingConsumer of(DirectConsumer direct, Runnable closed) {
        MessageConsumer consumer = direct.consumer();
        return new ReceivingConsumer(
                consumer,
                direct.calls(),
                listener -> consumer.setMessageListener(listener == null ? null : direct.listening(listener)),
                () -> {
                    consumer.close();
                    closed.run();
                });
    }
}
