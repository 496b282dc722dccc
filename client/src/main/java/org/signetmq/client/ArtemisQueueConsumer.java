/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.Arrival.Acknowledgement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of a queue over the Artemis client that acknowledges by itself: as cheaply as that client does, but after
 * a message was opened. With the first one that cannot be opened it moves to a session that tells the broker exactly
 * which message failed, at the price of a commit for each one; and stays there.
 */
final class ArtemisQueueConsumer implements QueueReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(ArtemisQueueConsumer.class);

    private final ArtemisReceiver receiver;
    private final Source source;
    private final MessageOpening opening;
    private final ProviderSession session;
    private final Exact exact;

    private volatile @Nullable MessageListener listener;
    private volatile @Nullable QueueReceiver moved;
    private volatile @Nullable Delivery delivery;
    private final UnreadRest rest = new UnreadRest();
    private boolean failed;
    private boolean givenBack;

    /** What a listener has in hand. */
    private record Delivery(Message message, Thread thread) {}

    /** Makes the same consumer on a session that settles each message exactly. */
    interface Exact {
        QueueReceiver consumer() throws JMSException;
    }

    ArtemisQueueConsumer(ArtemisReceiver receiver, Source source, MessageOpening opening, Exact exact) {
        this.receiver = receiver;
        this.source = source;
        this.opening = opening;
        this.session = receiver.session();
        this.exact = exact;
    }

    private interface Receiving {
        @Nullable
        Message next() throws JMSException;
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(0);
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        QueueReceiver successor = successor();
        return successor == null ? opened(() -> receiver.receive(timeout)) : successor.receive(timeout);
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        QueueReceiver successor = successor();
        return successor == null ? opened(receiver::receiveNoWait) : successor.receiveNoWait();
    }

    /** Whom to ask instead, if a message failed; a move that did not succeed is tried again. */
    private @Nullable QueueReceiver successor() throws JMSException {
        if (moved == null) {
            verifyRest();
        }
        if (failed && moved == null) {
            move();
        }
        return moved;
    }

    private @Nullable Message opened(Receiving receiving) throws JMSException {
        Message arrived = receiving.next();
        if (arrived == null) {
            return null;
        }
        try {
            ReceivedMessage message = open(arrived);
            if (!rest.watch(message, new Settling(() -> receiver.acknowledge(arrived), receiver::giveBack))) {
                receiver.acknowledge(arrived);
            }
            return message;
        } catch (JMSException | RuntimeException | Error e) {
            giveBackAndMove(e, receiver::giveBack);
            throw e;
        }
    }

    private ReceivedMessage open(Message arrived) throws JMSException {
        return opening.open(new MessageOpening.Request(arrived, source, Acknowledgement.NO_EFFECT), session);
    }

    private interface Step {
        void run() throws JMSException;
    }

    /** What becomes of a message that is opened while it is read. */
    private final class Settling implements PayloadParts.Outcome {
        private final Step acknowledging;
        private final Step givingBack;

        Settling(Step acknowledging, Step givingBack) {
            this.acknowledging = acknowledging;
            this.givingBack = givingBack;
        }

        @Override
        public void ended() throws JMSException {
            acknowledging.run();
        }

        @Override
        public void failed(JMSException e) {
            giveBackAndMove(e, givingBack);
        }
    }

    private void verifyRest() {
        try {
            rest.verify();
        } catch (JMSException e) {
            LOG.warn("rest of a large message: {}", e.getMessage());
            opening.report(e);
        }
    }

    private void giveBackAndMove(Throwable cause, Step how) {
        failed = true;
        try {
            how.run();
            givenBack = true;
            move();
        } catch (JMSException | RuntimeException e) {
            cause.addSuppressed(e); // the next message tries again; until then nothing is acknowledged here
        }
    }

    private void move() throws JMSException {
        if (!givenBack) {
            receiver.giveBack();
            givenBack = true;
        }
        receiver.consumer().close();
        QueueReceiver successor = exact.consumer();
        if (listener != null) {
            successor.setMessageListener(listener);
        }
        moved = successor;
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        if (moved != null) {
            return moved.getMessageListener();
        }
        return receiver.consumer().getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener to) throws JMSException {
        listener = to;
        QueueReceiver successor = successor();
        if (successor != null) {
            successor.setMessageListener(to);
        } else {
            receiver.consumer().setMessageListener(to == null ? null : arrived -> deliver(arrived, to));
        }
    }

    /** The client acknowledges when this returns, and gives back if the listener throws. */
    private void deliver(Message arrived, MessageListener to) {
        ReceivedMessage message;
        try {
            if (failed) { // acknowledging this one would acknowledge the failed one as well
                throw new JMSException("consumer: an earlier message could not be given back to the broker");
            }
            message = open(arrived);
        } catch (JMSException e) {
            giveBackAndMove(e, receiver::giveBackFromListener);
            LOG.warn("message not delivered: {}", e.getMessage());
            opening.report(e);
            return;
        }
        delivery = new Delivery(arrived, Thread.currentThread());
        rest.watch(message, new Settling(() -> {}, receiver::giveBackFromListener));
        try {
            to.onMessage(message);
            verifyRest();
        } finally {
            rest.forget();
            delivery = null;
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        return moved == null ? receiver.consumer().getQueue() : moved.getQueue();
    }

    @Override
    public String getMessageSelector() throws JMSException {
        return moved == null ? receiver.consumer().getMessageSelector() : moved.getMessageSelector();
    }

    @Override
    public void close() throws JMSException {
        Delivery now = delivery;
        if (now != null && now.thread() == Thread.currentThread()) {
            verifyRest();
            if (!failed) {
                receiver.acknowledge(now.message()); // a listener that closes its consumer has taken the message
            }
        }
        receiver.consumer().close();
        if (moved != null) {
            moved.close();
        }
    }
}
