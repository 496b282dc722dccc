/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes.Action;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ReceiveTimeout;

/** Opens and settles what a provider's consumer receives. Like a session, for one thread at a time. */
final class Receiver {
    private final Source source;
    private final ConsumerAddress address;
    final SessionSettlement settlement;
    private final ListenerGate gate;

    /** The application's listener. */
    private @Nullable MessageListener listener;

    /** Sets or removes the listener of a consumer. */
    interface Listening {
        void set(@Nullable MessageListener listener) throws JMSException;
    }

    /**
     * The calls of a provider's consumer.
     *
     * @param listening sets the listener
     * @param closing closes the consumer
     */
    record Source(ReceiveTimeout.Call receiving, Listening listening, Action closing) {
        /** Returns a consumer that follows the API. */
        static Source of(MessageConsumer consumer) {
            return new Source(ReceiveTimeout.Call.of(consumer), consumer::setMessageListener, consumer::close);
        }

        /** Returns a consumer of the simplified API. */
        static Source of(JMSConsumer consumer) {
            return new Source(ReceiveTimeout.Call.of(consumer), consumer::setMessageListener, consumer::close);
        }

        /** Returns a direct consumer of an XA session. */
        static Source of(DirectConsumer direct, SignetXAResource resource) {
            MessageConsumer consumer = direct.consumer();
            return new Source(
                    ReceiveTimeout.Call.of(consumer),
                    listener -> direct.listenInXa(listener == null ? null : resource.joining(direct, listener)),
                    consumer::close);
        }

        /**
         * Returns a direct consumer.
         *
         * @param closed runs after the consumer was closed
         */
        static Source of(DirectConsumer direct, Runnable closed) {
            MessageConsumer consumer = direct.consumer();
            return new Source(
                    direct.receiving(),
                    listener -> consumer.setMessageListener(listener == null ? null : direct.listening(listener)),
                    () -> {
                        consumer.close();
                        closed.run();
                    });
        }
    }

    Receiver(Source source, ConsumerAddress address, SessionSettlement settlement) {
        this.source = source;
        this.address = address;
        this.settlement = settlement;
        this.gate = new ListenerGate(settlement, () -> source.listening().set(null), source.closing());
    }

    /** Returns the next message, unsettled; null if none arrives in time. */
    @Nullable
    ReceivedMessage next(long millis) throws JMSException {
        return settlement.next(new ReceiveTimeout(millis), source.receiving(), address);
    }

    @Nullable
    MessageListener listener() {
        return listener;
    }

    void listen(@Nullable MessageListener set) throws JMSException {
        if (set != null) {
            settlement.beforeListening();
            gate.listens();
        }
        source.listening().set(set == null ? null : arrived -> gate.deliver(arrived, address, set));
        listener = set;
    }

    void close() throws JMSException {
        gate.close();
    }
}
