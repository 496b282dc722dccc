/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ReceiveTimeout;

/** A consumer that opens sealed messages. */
final class SignetMessageConsumer implements QueueReceiver, TopicSubscriber {
    private final MessageConsumer delegate;
    private final ConsumerAddress source;
    private final SessionSettlement settlement;
    private final ReceiveTimeout.Calls calls;
    private final Receiving.Listening listening;
    private final ListenerGate gate;
    private @Nullable MessageListener listener;

    /**
     * A provider's consumer with its receiving calls.
     *
     * @param listening sets the listener
     * @param closing closes the consumer
     */
    record Receiving(
            MessageConsumer consumer, ReceiveTimeout.Calls calls, Listening listening, ListenerGate.Call closing) {
        /** Sets or removes the listener of a consumer. */
        interface Listening {
            void set(@Nullable MessageListener listener) throws JMSException;
        }

        /** Returns a consumer that follows the API. */
        static Receiving of(MessageConsumer consumer) {
            return new Receiving(
                    consumer, ReceiveTimeout.Calls.of(consumer), consumer::setMessageListener, consumer::close);
        }

        /** Returns a direct consumer of an XA session. */
        static Receiving of(DirectConsumer direct, SignetXAResource resource) {
            MessageConsumer consumer = direct.consumer();
            return new Receiving(
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
        static Receiving of(DirectConsumer direct, Runnable closed) {
            MessageConsumer consumer = direct.consumer();
            return new Receiving(
                    consumer,
                    direct.calls(),
                    listener -> consumer.setMessageListener(listener == null ? null : direct.listening(listener)),
                    () -> {
                        consumer.close();
                        closed.run();
                    });
        }
    }

    SignetMessageConsumer(Receiving receiving, ConsumerAddress source, SessionSettlement settlement) {
        this.delegate = receiving.consumer();
        this.source = source;
        this.settlement = settlement;
        this.calls = receiving.calls();
        this.listening = receiving.listening();
        this.gate = new ListenerGate(settlement, () -> listening.set(null), receiving.closing());
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(ReceiveTimeout.forever());
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        return receive(ReceiveTimeout.atMost(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receive(ReceiveTimeout.notAtAll());
    }

    private @Nullable Message receive(ReceiveTimeout timeout) throws JMSException {
        ReceivedMessage message = settlement.next(timeout, calls, source);
        if (message == null) {
            return null;
        }
        settlement.settle(message);
        return message.shown();
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        delegate.getMessageListener(); // throws if closed
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        if (listener != null) {
            settlement.beforeListening();
            gate.listens();
        }
        listening.set(listener == null ? null : arrived -> gate.deliver(arrived, source, listener));
        this.listener = listener;
    }

    @Override
    public Queue getQueue() throws JMSException {
        return ((QueueReceiver) delegate).getQueue();
    }

    @Override
    public Topic getTopic() throws JMSException {
        return ((TopicSubscriber) delegate).getTopic();
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        return ((TopicSubscriber) delegate).getNoLocal();
    }

    @Override
    public String getMessageSelector() throws JMSException {
        return delegate.getMessageSelector();
    }

    @Override
    public void close() throws JMSException {
        gate.close();
    }
}
