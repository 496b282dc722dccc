/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.Arrival.Acknowledgement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what the consumers of one session receive, and settles it so that a message which cannot be opened is never
 * taken off its queue: the broker redelivers it and, in the end, moves it to its dead-letter address.
 *
 * <p>A provider in AUTO_ACKNOWLEDGE would acknowledge on return of its receive, before the message is opened. Its
 * session is therefore created in CLIENT_ACKNOWLEDGE and acknowledged here, after each message. As a session, for one
 * thread at a time.
 */
final class Inbox {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

    private final ProviderSession session;
    private final int mode;
    private final MessageOpening opening;
    private final Acknowledgement acknowledgement;

    private final UnreadRest rest = new UnreadRest();

    private boolean rollbackOnly;
    private boolean recovered;
    private boolean returnFailed;
    private int held;
    private int returns;

    Inbox(ProviderSession session, int mode, MessageOpening opening) {
        this.session = session;
        this.mode = mode;
        this.opening = opening;
        this.acknowledgement = settlesItself(mode) || transacted() ? Acknowledgement.NO_EFFECT : this::acknowledge;
    }

    /** The mode of the provider's session under a session of this mode. */
    static int providerMode(int mode) {
        return settlesItself(mode) ? Session.CLIENT_ACKNOWLEDGE : mode;
    }

    /** Whether messages are acknowledged here, not by the application. */
    static boolean settlesItself(int mode) {
        return mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE;
    }

    private boolean transacted() {
        return mode == Session.SESSION_TRANSACTED;
    }

    /** Opens a message that a consumer took. If that fails, the message goes back to the broker. */
    ReceivedMessage open(Message arrived, Source source) throws JMSException {
        try {
            ReceivedMessage message =
                    opening.open(new MessageOpening.Request(arrived, source, acknowledgement), session);
            watch(message);
            return message;
        } catch (JMSException e) {
            failed(arrived, e);
            throw e;
        }
    }

    private void failed(Message arrived, JMSException e) {
        if (transacted()) {
            rollbackOnly = true;
        } else {
            giveBack(arrived, e);
        }
    }

    private void watch(ReceivedMessage message) {
        rest.watch(message, new PayloadParts.Outcome() {
            @Override
            public void ended() throws JMSException {
                settleNow(message);
            }

            @Override
            public void failed(JMSException e) {
                Inbox.this.failed(message.received(), e);
            }
        });
    }

    /** To be called before a consumer of the session asks for another message. */
    void beforeReceiving() {
        verify(rest);
    }

    private void verify(UnreadRest unread) {
        try {
            unread.verify();
        } catch (JMSException e) {
            LOG.warn("rest of a large message: {}", e.getMessage());
            opening.report(e);
        }
    }

    private void acknowledge(Message received) throws JMSException {
        beforeAcknowledging();
        received.acknowledge();
    }

    /** To be called before the application acknowledges what it received. */
    void beforeAcknowledging() throws JMSException {
        rest.verify();
    }

    /**
     * To be called before a browser of the session asks for another message.
     *
     * @param unread what it did not read of the one before
     */
    void beforeBrowsing(UnreadRest unread) {
        verify(unread);
    }

    /** Opens a message that stays where it is; a very large one while it is read. */
    ReceivedMessage browse(Message arrived, Source source, UnreadRest unread) throws JMSException {
        ReceivedMessage message =
                opening.open(new MessageOpening.Request(arrived, source, Acknowledgement.NO_EFFECT), session);
        unread.watch(message, PayloadParts.Outcome.NOBODY);
        return message;
    }

    /** Acknowledges an opened message if that is not the application's business. */
    void settle(ReceivedMessage message) throws JMSException {
        if (!(message instanceof StreamedBytesMessage)) {
            settleNow(message);
        }
    }

    private void settleNow(ReceivedMessage message) throws JMSException {
        if (!settlesItself(mode) || held > 0) {
            return; // acknowledging covers all messages of the session, the ones held as well
        }
        if (returnFailed) {
            JMSException e = new JMSException("session: an earlier message could not be given back to the broker");
            giveBack(message.received(), e);
            throw e;
        }
        message.received().acknowledge();
    }

    /** Opens a message for a listener and settles it when the listener is done. */
    void deliver(Message arrived, Source source, MessageListener listener) {
        ReceivedMessage message;
        try {
            message = open(arrived, source);
        } catch (JMSException e) {
            if (transacted()) {
                rollbackAfter(e);
            }
            LOG.warn("message not delivered: {}", e.getMessage());
            opening.report(e);
            return;
        }
        recovered = false;
        int returnsBefore = returns;
        try {
            listener.onMessage(message);
        } catch (RuntimeException | Error e) {
            rest.forget();
            recovered |= returns != returnsBefore; // its rest could not be opened, it went back already
            listenerFailed(arrived, e);
            return;
        }
        if (recovered) {
            return;
        }
        try {
            rest.verify();
            settle(message);
        } catch (JMSException e) {
            LOG.warn("message not acknowledged, it will be delivered again: {}", e.getMessage());
            opening.report(e);
        }
    }

    private void rollbackAfter(JMSException cause) {
        try {
            rollback();
        } catch (JMSException e) {
            cause.addSuppressed(e); // rollback-only still: a commit is refused
        }
    }

    private void listenerFailed(Message arrived, Throwable e) {
        if (settlesItself(mode) && !recovered) {
            giveBack(arrived, e);
        }
        if (e instanceof Error error) {
            throw error;
        }
        if (!settlesItself(mode)) {
            throw (RuntimeException) e;
        }
        LOG.warn(
                "message listener failed, the message will be delivered again: {}",
                e.getClass().getName());
    }

    private void giveBack(Message arrived, Throwable cause) {
        returns++;
        held = 0;
        try {
            GivingBack.of(arrived).giveBack(arrived, session);
            returnFailed = false;
        } catch (JMSException | RuntimeException e) {
            returnFailed = true;
            cause.addSuppressed(e);
        }
    }

    /** Commits, unless the transaction has a message that could not be opened: a commit would take it off its queue. */
    void commit() throws JMSException {
        beforeReceiving();
        if (rollbackOnly) {
            rollback();
            throw new TransactionRolledBackException("transaction: rolled back, a message in it could not be opened");
        }
        session.commit();
    }

    void rollback() throws JMSException {
        rest.forget();
        session.rollback();
        rollbackOnly = false;
    }

    void recover() throws JMSException {
        rest.forget();
        if (settlesItself(mode)) {
            GivingBack.recover(session);
        } else {
            session.recover();
        }
        recovered = true;
        returnFailed = false;
        held = 0;
        returns++;
    }

    /** Keeps a message for the next call of its consumer; null where the application itself can ask for it again. */
    @Nullable
    Held hold(ReceivedMessage message) {
        if (!settlesItself(mode)) {
            return null;
        }
        held++;
        return new Held(message, returns);
    }

    /** A message that was received and stays unacknowledged until it is taken out. */
    final class Held {
        private final ReceivedMessage message;
        private final int returnsBefore;

        private Held(ReceivedMessage message, int returnsBefore) {
            this.message = message;
            this.returnsBefore = returnsBefore;
        }

        /** The message; null if the session gave it back to the broker meanwhile. */
        @Nullable
        ReceivedMessage release() {
            if (returns != returnsBefore) {
                return null;
            }
            held--;
            return message;
        }
    }
}
