/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.address.ConsumerAddress;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedEnvelope.Acknowledgement;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.signetmq.client.internal.provider.artemis.ArtemisReceiver;
import org.signetmq.client.internal.settlement.ListenerGate;
import org.signetmq.client.internal.settlement.UnreadBody;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of a queue over the Artemis client that acknowledges by itself: as cheaply as that client does, but after
 * a message was opened. At the first message that cannot be opened, it moves for good to a session that names the
 * failed message to the broker. That session costs a commit for each message. So it does when its session gets a second
 * consumer: the listeners of a session must run one after the other.
 */
final class ArtemisQueueConsumer implements QueueReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(ArtemisQueueConsumer.class);

    private final ArtemisReceiver receiver;
    private final ConsumerAddress source;
    private final MessageOpening opening;
    private final ProviderSession session;
    private final Exact exact;

    private volatile @Nullable MessageListener listener;
    private volatile @Nullable SignetMessageConsumer moved;
    private final UnreadBody rest = new UnreadBody();
    private final ListenerGate gate;
    private volatile boolean closed;
    private boolean failed;
    private boolean givenBack;
    private boolean leaving;

    /** The session that settles each message exactly. */
    interface Exact {
        /** Makes the same consumer there. */
        SignetMessageConsumer consumer() throws JMSException;

        /** Held while a listener of either session runs. */
        Lock turns();
    }

    ArtemisQueueConsumer(ArtemisReceiver receiver, ConsumerAddress source, MessageOpening opening, Exact exact) {
        this.receiver = receiver;
        this.source = source;
        this.opening = opening;
        this.session = receiver.session();
        this.exact = exact;
        this.gate = new ListenerGate(exact.turns(), this::closeNow);
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
        SignetMessageConsumer successor = successor();
        while (successor == null) {
            Message arrived = timeout.ask(receiver);
            if (arrived == null) {
                return null;
            }
            Message message = openOrGiveBack(arrived);
            if (message != null) {
                return message;
            }
            successor = successor();
        }
        return successor.receive(timeout);
    }

    /** The other consumer after a message failed. A failed move is tried again. */
    private @Nullable SignetMessageConsumer successor() throws JMSException {
        if (moved == null) {
            verifyRest();
        }
        if (failed && moved == null) {
            move();
        }
        return moved;
    }

    private @Nullable Message openOrGiveBack(Message arrived) throws JMSException {
        try {
            ReceivedMessage message = open(arrived);
            if (!rest.watch(message, new Settling(arrived, () -> receiver.acknowledge(arrived), receiver::giveBack))) {
                receiver.acknowledge(arrived);
            }
            return message;
        } catch (JMSException e) {
            giveBackAndMove(e, receiver::giveBack);
            if (!opening.skips(e) || moved == null) {
                throw e;
            }
            MessageOpening.logNotDelivered(arrived, source, e);
            return null;
        } catch (RuntimeException | Error e) {
            giveBackAndMove(e, receiver::giveBack);
            throw e;
        }
    }

    private ReceivedMessage open(Message arrived) throws JMSException {
        return opening.open(opening.request(arrived, source, Acknowledgement.NO_EFFECT), session);
    }

    private interface Step {
        void run() throws JMSException;
    }

    /** Settles a message that is opened while it is read. */
    private final class Settling implements PayloadParts.Outcome {
        private final Message arrived;
        private final Step acknowledging;
        private final Step givingBack;

        Settling(Message arrived, Step acknowledging, Step givingBack) {
            this.arrived = arrived;
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
            MessageOpening.logNotDelivered(arrived, source, e);
        }
    }

    private void verifyRest() {
        try {
            rest.verify();
        } catch (JMSException e) {
            if (opening.exceptions().isOpenFailure(e)) {
                LOG.debug("rest of a large message: {}", e.getMessage()); // it went back and has its line already
            } else {
                LOG.warn("rest of a large message: {}", e.getMessage());
            }
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
        SignetMessageConsumer successor = exact.consumer();
        if (listener != null) {
            successor.setMessageListener(listener);
        }
        moved = successor;
    }

    /** Moves because the session gets another consumer; from its own listener, as soon as that returns. */
    void leave() throws JMSException {
        if (closed || moved != null) {
            return;
        }
        if (gate.isDelivering()) {
            leaving = true;
            return;
        }
        verifyRest();
        if (moved == null) {
            leaveNow();
        }
    }

    private void leaveNow() throws JMSException {
        givenBack |= !failed; // there is nothing to give back
        failed = true;
        move();
    }

    boolean isClosed() {
        return closed;
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
        SignetMessageConsumer successor = successor();
        if (successor != null) {
            successor.setMessageListener(to);
        } else {
            receiver.consumer()
                    .setMessageListener(to == null ? null : arrived -> gate.deliver(() -> deliver(arrived, to)));
        }
    }

    /**
     * The client acknowledges when this returns, and gives back if the listener throws, unless the consumer is closed.
     */
    private void deliver(Message arrived, MessageListener to) {
        ReceivedMessage message;
        try {
            if (failed) { // acknowledging this one would acknowledge the failed one as well
                throw new JMSException("consumer: an earlier message could not be given back to the broker");
            }
            message = open(arrived);
        } catch (JMSException e) {
            giveBackAndMove(e, receiver::giveBackFromListener);
            MessageOpening.logNotDelivered(arrived, source, e);
            return;
        }
        rest.watch(message, new Settling(arrived, () -> {}, receiver::giveBackFromListener));
        try {
            to.onMessage(message);
            verifyRest();
        } catch (RuntimeException | Error e) {
            endEarly(() -> receiver.giveBackFromListener());
            throw e;
        } finally {
            rest.forget();
        }
        endEarly(() -> receiver.acknowledge(arrived));
    }

    /** Settles the message before the consumer is closed or moves, if the listener asked for that. */
    private void endEarly(Step settling) {
        if (failed || !(gate.isClosing() || leaving)) {
            return;
        }
        try {
            settling.run();
            if (!gate.isClosing()) {
                leaveNow();
            }
        } catch (JMSException | RuntimeException e) {
            LOG.warn("message not settled, it will be delivered again: {}", e.getMessage());
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
        gate.close();
    }

    private void closeNow() throws JMSException {
        closed = true;
        receiver.consumer().close();
        if (moved != null) {
            moved.close();
        }
    }
}
