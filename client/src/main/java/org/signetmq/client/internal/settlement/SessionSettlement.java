/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.address.ConsumerAddress;
import org.signetmq.client.internal.failure.RuntimeExceptions;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedEnvelope.Acknowledgement;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and settles the messages of one session's consumers. A message that cannot be opened never leaves its queue:
 * the broker redelivers it and finally moves it to its dead-letter address.
 *
 * <p>A provider in AUTO_ACKNOWLEDGE would acknowledge on return of its receive, before the message is opened. Its
 * session is therefore created in CLIENT_ACKNOWLEDGE and acknowledged here, after each message. As a session, for one
 * thread at a time.
 */
public final class SessionSettlement {
    private static final Logger LOG = LoggerFactory.getLogger(SessionSettlement.class);

    private final ProviderSession session;
    private final int mode;
    private final MessageOpening opening;
    private final Acknowledgement acknowledgement;
    private final Lock turns;

    private final UnreadBody rest = new UnreadBody();
    private final SettlementState unsettled = new SettlementState();

    private boolean rollbackOnly;
    private boolean recovered;
    private boolean returnFailed;
    private int held;
    private int returns;

    public SessionSettlement(ProviderSession session, int mode, MessageOpening opening) {
        this(session, mode, opening, new ReentrantLock());
    }

    /**
     * The consumers of a session.
     *
     * @param turns held while a listener runs, for all that must not run at the same time
     */
    public SessionSettlement(ProviderSession session, int mode, MessageOpening opening, Lock turns) {
        this.turns = turns;
        this.session = session;
        this.mode = mode;
        this.opening = opening;
        this.acknowledgement = settlesItself(mode) || transacted() ? Acknowledgement.NO_EFFECT : this::acknowledge;
    }

    /** Makes the unchecked exceptions of the session's consumers. */
    public RuntimeExceptions runtimeExceptions() {
        return new RuntimeExceptions(opening.exceptions());
    }

    /** Held while a listener of the session runs. */
    public Lock turns() {
        return turns;
    }

    /** The mode of the provider's session under a session of this mode. */
    public static int providerMode(int mode) {
        return settlesItself(mode) ? Session.CLIENT_ACKNOWLEDGE : mode;
    }

    /** Whether messages are acknowledged here, not by the application. */
    public static boolean settlesItself(int mode) {
        return mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE;
    }

    private boolean transacted() {
        return mode == Session.SESSION_TRANSACTED;
    }

    /**
     * The next message that opens; null if there is none in time.
     *
     * <p>One that does not open goes back to the broker, and the call goes on. It throws if the application wants that,
     * or if the message cannot go back alone: in a transaction with other work, or beside messages without
     * acknowledgement.
     */
    @Nullable
    public ReceivedMessage next(ReceiveTimeout timeout, ReceiveTimeout.Asking asking, ConsumerAddress source)
            throws JMSException {
        while (true) {
            session.beforeReceiving();
            beforeReceiving();
            Message arrived = timeout.ask(asking);
            if (arrived == null) {
                return null;
            }
            ReceivedMessage message = openOrGiveBack(arrived, source);
            if (message != null) {
                return message;
            }
        }
    }

    private @Nullable ReceivedMessage openOrGiveBack(Message arrived, ConsumerAddress source) throws JMSException {
        try {
            return open(arrived, source);
        } catch (JMSException e) {
            if (!opening.skips(e) || !goesBackAlone()) {
                failed(arrived, e);
                throw e;
            }
            giveBackAlone(arrived, e);
            MessageOpening.logNotDelivered(arrived, source, e);
            return null;
        }
    }

    private ReceivedMessage open(Message arrived, ConsumerAddress source) throws JMSException {
        ReceivedMessage message = opening.open(opening.request(arrived, source, acknowledgement), session);
        watch(message, source);
        if (!settlesItself(mode)) {
            unsettled.received();
        }
        return message;
    }

    private boolean goesBackAlone() {
        return settlesItself(mode) || (unsettled.isEmpty() && !rollbackOnly);
    }

    private void giveBackAlone(Message arrived, JMSException e) throws JMSException {
        if (transacted()) {
            rollback();
        } else {
            giveBack(arrived, e);
            if (returnFailed) {
                throw e; // the session fails: the next message would fare no better
            }
        }
    }

    private void failed(Message arrived, JMSException e) {
        if (transacted()) {
            rollbackOnly = true;
        } else {
            giveBack(arrived, e);
        }
    }

    /** To be called before the application sends something with this session. */
    public void beforeSending() {
        if (transacted()) {
            unsettled.sent();
        }
    }

    private void watch(ReceivedMessage message, ConsumerAddress source) {
        rest.watch(message, new PayloadParts.Outcome() {
            @Override
            public void ended() throws JMSException {
                settleNow(message);
            }

            @Override
            public void failed(JMSException e) {
                SessionSettlement.this.failed(message.received(), e);
                MessageOpening.logNotDelivered(message.received(), source, e);
            }
        });
    }

    /** To be called before a consumer of the session gets a listener. */
    public void beforeListening() throws JMSException {
        session.beforeListening();
    }

    /** A branch of an outer transaction began, with nothing in it. */
    public void branchBegan() {
        rest.forget();
        unsettled.settled();
        rollbackOnly = false;
    }

    /** A branch of an outer transaction is taken up again, with anything in it. */
    public void branchContinued() {
        branchBegan();
        unsettled.sent();
    }

    /** Whether the branch of an outer transaction that ends now has nothing in it that must not be committed. */
    public boolean branchMayCommit() {
        verifyRest();
        return !rollbackOnly;
    }

    private void beforeReceiving() {
        verifyRest();
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

    private void acknowledge(Message received) throws JMSException {
        rest.verify();
        received.acknowledge();
        if (mode == Session.CLIENT_ACKNOWLEDGE) {
            unsettled.settled();
        } else { // a mode of the provider, where each message is acknowledged on its own
            unsettled.settledOne();
        }
    }

    /** Acknowledges all received messages by a call of the provider. */
    public void acknowledgeAll(Runnable acknowledging) throws JMSException {
        rest.verify();
        acknowledging.run();
        unsettled.settled();
    }

    /**
     * To be called before a browser of the session asks for another message.
     *
     * @param unread the unread rest of the one before
     */
    public void beforeBrowsing(UnreadBody unread) {
        try {
            unread.verify();
        } catch (JMSException e) {
            LOG.warn("browser: rest of a large message: {}", e.getMessage());
        }
    }

    /** Opens a message that stays where it is; a very large one while it is read. */
    public ReceivedMessage browse(Message arrived, ConsumerAddress source, UnreadBody unread) throws JMSException {
        ReceivedMessage message = opening.open(opening.request(arrived, source, Acknowledgement.NO_EFFECT), session);
        unread.watch(message, PayloadParts.Outcome.NOBODY);
        return message;
    }

    /** Acknowledges an opened message if that is not the application's business. */
    public void settle(ReceivedMessage message) throws JMSException {
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
    public void deliver(Message arrived, ConsumerAddress source, MessageListener listener) {
        ReceivedMessage message;
        try {
            message = open(arrived, source);
        } catch (JMSException e) {
            notDelivered(arrived, e);
            MessageOpening.logNotDelivered(arrived, source, e);
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
            if (opening.exceptions().isOpenFailure(e)) {
                LOG.debug("rest of a large message: {}", e.getMessage());
            } else {
                LOG.warn("message not acknowledged, it will be delivered again: {}", e.getMessage());
            }
        }
    }

    private void notDelivered(Message arrived, JMSException cause) {
        if (!transacted()) {
            giveBack(arrived, cause);
            return;
        }
        boolean alone = goesBackAlone();
        try {
            rollback();
            rollbackOnly = !alone; // undoes the listener's work in this transaction, so the commit must fail
        } catch (JMSException e) {
            rollbackOnly = true;
            cause.addSuppressed(e);
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
        if (!recovered) {
            LOG.warn(
                    "message listener failed, the message will be delivered again: {}",
                    e.getClass().getName());
        }
    }

    private void giveBack(Message arrived, Throwable cause) {
        returns++;
        held = 0;
        unsettled.settled();
        try {
            opening.library().giveBack(arrived, session);
            returnFailed = false;
        } catch (JMSException | RuntimeException e) {
            returnFailed = true;
            cause.addSuppressed(e);
        }
    }

    /** Commits, unless the transaction has a message that could not be opened: a commit would take it off its queue. */
    public void commit() throws JMSException {
        beforeReceiving();
        if (rollbackOnly) {
            rollback();
            throw new TransactionRolledBackException("transaction: rolled back, a message in it could not be opened");
        }
        session.commit();
        unsettled.settled();
    }

    public void rollback() throws JMSException {
        rest.forget();
        session.rollback();
        unsettled.settled();
        rollbackOnly = false;
    }

    public void recover() throws JMSException {
        rest.forget();
        if (settlesItself(mode)) {
            opening.library().recover(session);
        } else {
            session.recover();
        }
        recovered = true;
        returnFailed = false;
        unsettled.settled();
        held = 0;
        returns++;
    }

    /** Keeps a message for the next call of its consumer; null where the application itself can ask for it again. */
    @Nullable
    public Held hold(ReceivedMessage message) {
        if (!settlesItself(mode)) {
            return null;
        }
        held++;
        return new Held(message, returns);
    }

    /** A message that was received and stays unacknowledged until it is taken out. */
    public final class Held {
        private final ReceivedMessage message;
        private final int returnsBefore;

        private Held(ReceivedMessage message, int returnsBefore) {
            this.message = message;
            this.returnsBefore = returnsBefore;
        }

        /** The message; null if the session gave it back to the broker meanwhile. */
        @Nullable
        public ReceivedMessage release() {
            if (returns != returnsBefore) {
                return null;
            }
            held--;
            return message;
        }
    }
}
