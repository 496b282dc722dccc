/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.OpenOutcomes.Action;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessage.Acknowledgement;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.opening.OpenedBefore;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.Policy.OnFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Opens and settles the messages of one session's consumers. A message that cannot be opened leaves its queue if its
 * policy wants that, mostly for the quarantine. Else the broker redelivers it and finally moves it to its dead-letter
 * address.
 *
 * <p>A provider's session in AUTO_ACKNOWLEDGE acknowledges a message before Signet opens it. So the provider's session
 * is in CLIENT_ACKNOWLEDGE, or its only consumer is a {@link DirectConsumer}. This class acknowledges after each
 * message. Like a session, for one thread at a time.
 */
public final class SessionSettlement {
    private static final Logger LOG = LoggerFactory.getLogger(SessionSettlement.class);

    private final Session session;
    private final Transaction transaction;
    private final int mode;
    private final MessageOpening opening;
    private final Acknowledgement acknowledgement;
    private final @Nullable DirectConsumer direct;
    private final ListenerGate.Listeners listeners;

    private final UnreadBody rest = new UnreadBody();

    /** The memory of the messages that were opened and may still go back; empty without replay windows. */
    private final List<OpenedBefore.Opened> opened = new ArrayList<>();

    /** The received messages that are not settled, and in a transaction whether the application sent any. */
    private int unsettled;

    private boolean sent;

    /** How often messages went back to the broker. */
    private int returned;

    /** The messages that wait for a later call. */
    private int held;

    /** Whether the last message that was to go back did not. */
    private boolean lastFailed;

    private boolean rollbackOnly;
    private boolean recovered;

    /**
     * The transaction in which a session receives; by default that of a session that commits itself. Like a session,
     * for one thread at a time.
     */
    public interface Transaction {
        /** Prepares the session, before a consumer asks for a message. */
        default void beforeReceiving() throws JMSException {}

        /** Returns the call to ask with, after {@link #beforeReceiving}. */
        default ReceiveTimeout.Call receiving(ReceiveTimeout.Call call) {
            return call;
        }

        /**
         * Ends what {@link #beforeReceiving} began.
         *
         * @param message the message that the application gets if this call does not throw; null if it gets none
         */
        default void afterReceiving(@Nullable ReceivedMessage message) throws JMSException {}

        /** Prepares the session, before a consumer gets a listener. */
        default void beforeListening() throws JMSException {}

        default void rollback(Session session) throws JMSException {
            session.rollback();
        }

        /**
         * Commits a transaction that contains nothing but a message that was put aside.
         *
         * @return false if only a transaction manager may commit it
         */
        default boolean commitAside(Session session) throws JMSException {
            session.commit();
            return true;
        }
    }

    public SessionSettlement(Session session, int mode, MessageOpening opening) {
        this(session, new Transaction() {}, mode, opening);
    }

    /** Makes the settlement of a session in this transaction. */
    public SessionSettlement(Session session, Transaction transaction, int mode, MessageOpening opening) {
        this(session, transaction, null, new ListenerGate.Listeners(), mode, opening);
    }

    /**
     * Makes the settlement of the only consumer of a provider's session in AUTO_ACKNOWLEDGE.
     *
     * @param listeners those of the application's session
     */
    SessionSettlement(
            DirectConsumer consumer, Session session, MessageOpening opening, ListenerGate.Listeners listeners) {
        this(session, new Transaction() {}, consumer, listeners, Session.AUTO_ACKNOWLEDGE, opening);
    }

    private SessionSettlement(
            Session session,
            Transaction transaction,
            @Nullable DirectConsumer direct,
            ListenerGate.Listeners listeners,
            int mode,
            MessageOpening opening) {
        this.session = session;
        this.transaction = transaction;
        this.direct = direct;
        this.listeners = listeners;
        this.mode = mode;
        this.opening = opening;
        this.acknowledgement = settlesItself(mode) || transacted() ? Acknowledgement.NO_EFFECT : this::acknowledge;
    }

    /** Returns the maker of exceptions for the session's consumers. */
    OpenOutcomes outcomes() {
        return opening.outcomes();
    }

    int mode() {
        return mode;
    }

    /** Returns the listeners of the application's session. */
    ListenerGate.Listeners listeners() {
        return listeners;
    }

    /** Returns whether the session is one of this connection. */
    boolean isOf(MessageOpening connection) {
        return opening == connection;
    }

    /** Returns whether the provider loses this class's acknowledgement of a message if its consumer is closed. */
    boolean closingDropsAcknowledgements() {
        return settlesItself(mode) && opening.library().closingDropsAcknowledgements();
    }

    /**
     * Closes the provider's session. First it waits for the running listeners, if this class acknowledges for them.
     *
     * @param provider closes the provider's session
     */
    public void close(Action provider) throws JMSException {
        if (settlesItself(mode)) {
            listeners.close(provider, closingDropsAcknowledgements());
        } else {
            forgetOpened();
            provider.run();
        }
        release();
    }

    /** Drops the kept body of the last large message; call it after the consumer or session was closed. */
    public void release() {
        rest.release();
    }

    /** Returns the mode of the provider's session for a session of this mode. */
    public static int providerMode(int mode) {
        return settlesItself(mode) ? Session.CLIENT_ACKNOWLEDGE : mode;
    }

    /** Returns whether this class acknowledges messages, not the application. */
    public static boolean settlesItself(int mode) {
        return mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE;
    }

    private boolean transacted() {
        return mode == Session.SESSION_TRANSACTED;
    }

    /**
     * Returns the next message that can be opened; null if none arrives in time.
     *
     * <p>A message that cannot be opened goes back to the broker, and the call continues. The call throws if the
     * application configured that, or if other work would go back too. Such work is other messages or sends of the
     * transaction, or messages without acknowledgement.
     */
    @Nullable
    public ReceivedMessage next(ReceiveTimeout timeout, ReceiveTimeout.Call call, ConsumerAddress source)
            throws JMSException {
        ReceivedMessage message;
        try {
            message = nextInTransaction(timeout, call, source);
        } catch (Throwable e) {
            try {
                transaction.afterReceiving(null);
            } catch (JMSException | RuntimeException notEnded) {
                e.addSuppressed(notEnded);
            }
            throw e;
        }
        transaction.afterReceiving(message);
        return message;
    }

    private @Nullable ReceivedMessage nextInTransaction(
            ReceiveTimeout timeout, ReceiveTimeout.Call call, ConsumerAddress source) throws JMSException {
        while (true) {
            transaction.beforeReceiving();
            verifyRest();
            Message arrived = timeout.ask(transaction.receiving(call));
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
        MessageOpening.Request request = opening.request(arrived, source, acknowledgement, false);
        try {
            return open(request);
        } catch (JMSException e) {
            if (opening.opener().skips(e) && putAside(request, e)) {
                return null;
            }
            opening.rejected(source, e);
            if (!opening.opener().skips(e) || !goesBackAlone()) {
                failed(arrived, e);
                throw e;
            }
            giveBackAlone(arrived, e);
            MessageOpening.logNotDelivered(arrived, source, e);
            return null;
        } finally {
            request.release();
        }
    }

    /**
     * Takes a message that cannot be opened off its queue, if its policy wants that and no other message is touched. In
     * a transaction with other work the application decides about it, too.
     *
     * @return false if the message must go back to the broker
     */
    private boolean putAside(MessageOpening.Request request, JMSException failure) {
        OnFailure action = opening.quarantine().action(request, failure);
        if (action == OnFailure.REJECT || !settlesAlone()) {
            return false;
        }
        String quarantine = null;
        try {
            if (action == OnFailure.QUARANTINE) {
                quarantine = opening.quarantine().send(request, failure, transacted() ? session : null);
            }
            if (!transacted()) {
                acknowledgeAside(request.message());
            } else if (unsettled > 0 || sent || !transaction.commitAside(session)) {
                unsettled++;
            }
        } catch (Throwable e) { // any failure: the message is not lost
            opening.quarantine().warn(request.source(), e);
            return false;
        }
        opening.putAside(request.source(), quarantine, failure);
        return true;
    }

    /** Returns whether this session can acknowledge one message alone now. */
    private boolean settlesAlone() {
        if (transacted()) {
            return !rollbackOnly;
        }
        return !lastFailed && (settlesItself(mode) ? held == 0 : mode != Session.CLIENT_ACKNOWLEDGE || unsettled == 0);
    }

    private void acknowledgeAside(Message arrived) throws JMSException {
        if (settlesItself(mode)) {
            acknowledgeAlone(arrived);
        } else {
            arrived.acknowledge();
        }
    }

    private ReceivedMessage open(MessageOpening.Request request) throws JMSException {
        ReceivedMessage message = opening.open(request, session);
        OpenedBefore.Opened remembered = request.remembered();
        if (remembered != null) {
            opened.add(remembered);
        }
        if (message instanceof StreamedBytesMessage streamed) {
            watch(streamed, request.source());
        }
        if (!settlesItself(mode)) {
            unsettled++;
        }
        return message;
    }

    /** Notes that the opened messages go back to the broker, which may deliver them again. */
    private void forgetOpened() {
        opened.forEach(OpenedBefore.Opened::forget);
        opened.clear();
    }

    /** Notes that the opened messages cannot go back any more. */
    private void settleOpened() {
        opened.forEach(OpenedBefore.Opened::settle);
        opened.clear();
    }

    /** Notes that all work was committed, acknowledged or given back. */
    private void settled() {
        settleOpened();
        unsettled = 0;
        sent = false;
    }

    private boolean goesBackAlone() {
        return settlesItself(mode) || (unsettled == 0 && !sent && !rollbackOnly);
    }

    private void giveBackAlone(Message arrived, JMSException e) throws JMSException {
        if (transacted()) {
            rollback();
        } else {
            giveBack(arrived, e);
            if (lastFailed) {
                throw e; // the session failed, so the next message would fail too
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

    /** Returns what the session sends for a message of the application. */
    OutgoingMessage outgoing(Message message, @Nullable Destination destination, @Nullable String address)
            throws JMSException {
        return opening.outgoing(message, destination, address, session);
    }

    /** Notes a send of the application in a transaction; call it before each send. */
    public void beforeSending() {
        sent |= transacted();
    }

    private void watch(StreamedBytesMessage message, ConsumerAddress source) {
        rest.watch(message, new PayloadParts.EndListener() {
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

    /** Prepares the provider's session; call it before a consumer gets a listener. */
    public void beforeListening() throws JMSException {
        transaction.beforeListening();
    }

    /** Notes that an empty branch of an outer transaction began. */
    public void branchBegan() {
        rest.forget();
        settled();
        rollbackOnly = false;
    }

    /** Notes that the session continues a branch of an outer transaction, with unknown work in it. */
    public void branchContinued() {
        branchBegan();
        sent = true;
    }

    /** Returns whether the branch that ends may commit: every message in it was opened. */
    public boolean branchMayCommit() {
        verifyRest();
        return !rollbackOnly;
    }

    private void verifyRest() {
        try {
            rest.verify();
        } catch (JMSException e) {
            logUnverified("the rest of a large message could not be verified", e);
        }
    }

    /** Logs a failure, at a low level if its message went back and is logged already. */
    private void logUnverified(String what, JMSException e) {
        LOG.atLevel(opening.outcomes().isOpenFailure(e) ? Level.DEBUG : Level.WARN)
                .log("{}: {}", what, reason(e));
    }

    private static String reason(JMSException e) {
        return PrintableText.of(e.getMessage(), PrintableText.LONGEST_REASON);
    }

    private void acknowledge(Message received) throws JMSException {
        rest.verify();
        received.acknowledge();
        if (mode == Session.CLIENT_ACKNOWLEDGE) {
            settled();
        } else { // the provider's individual acknowledgement
            unsettled = Math.max(0, unsettled - 1);
            if (unsettled == 0) {
                settleOpened();
            }
        }
    }

    /** Acknowledges all received messages by a call of the provider. */
    public void acknowledgeAll(Runnable acknowledging) throws JMSException {
        rest.verify();
        acknowledging.run();
        settled();
    }

    /**
     * Verifies the rest of a browser's message; call it before the browser asks for the next one.
     *
     * @param unread the unread rest of the last message
     */
    public void beforeBrowsing(UnreadBody unread) {
        try {
            unread.verify();
        } catch (JMSException e) {
            LOG.warn("browser: the rest of a large message could not be verified: {}", reason(e));
        }
    }

    /** Opens a message for a browser; a large one while the application reads it. */
    public ReceivedMessage browse(Message arrived, ConsumerAddress source, UnreadBody unread) throws JMSException {
        MessageOpening.Request request = opening.request(arrived, source, Acknowledgement.NO_EFFECT, false);
        try {
            ReceivedMessage message = opening.open(request, session);
            if (message instanceof StreamedBytesMessage streamed) {
                unread.watch(streamed, PayloadParts.EndListener.NONE);
            }
            return message;
        } finally {
            request.release();
        }
    }

    /** Acknowledges an opened message if the application does not do that. */
    public void settle(ReceivedMessage message) throws JMSException {
        if (!(message instanceof StreamedBytesMessage)) {
            settleNow(message);
        }
    }

    private void settleNow(ReceivedMessage message) throws JMSException {
        if (settlesItself(mode)) {
            acknowledgeAlone(message.received());
            settleOpened();
        }
    }

    /** Opens a message, calls the listener, and settles the message. */
    public void deliver(Message arrived, ConsumerAddress source, MessageListener listener) {
        ReceivedMessage message;
        MessageOpening.Request request = opening.request(arrived, source, acknowledgement, true);
        try {
            message = open(request);
        } catch (JMSException e) {
            if (!putAside(request, e)) {
                opening.rejected(source, e);
                notDelivered(arrived, e);
                MessageOpening.logNotDelivered(arrived, source, e);
            }
            return;
        } finally {
            request.release();
        }
        try {
            transaction.afterReceiving(message);
        } catch (JMSException e) {
            LOG.warn("message not acknowledged, it will be delivered again: {}", reason(e));
            return;
        }
        recovered = false;
        int returnsBefore = returned;
        try {
            listener.onMessage(message.shown());
        } catch (RuntimeException | Error e) {
            rest.forget();
            recovered |= returned != returnsBefore; // if its rest could not be opened, it went back already
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
            logUnverified("message not acknowledged, it will be delivered again", e);
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

    /** Gives a message back that arrived while its consumer was being closed. */
    void refuse(Message arrived) {
        giveBack(arrived, new JMSException("consumer: closed"));
    }

    private void giveBack(Message arrived, Throwable cause) {
        forgetOpened();
        settled();
        returnNow(arrived, cause);
    }

    /** Commits; rolls back and throws if a message in the transaction could not be opened. */
    public void commit() throws JMSException {
        verifyRest();
        if (rollbackOnly) {
            rollback();
            throw new TransactionRolledBackException("transaction: rolled back, a message in it could not be opened");
        }
        session.commit();
        settled();
    }

    public void rollback() throws JMSException {
        rest.forget();
        forgetOpened();
        transaction.rollback(session);
        settled();
        rollbackOnly = false;
    }

    public void recover() throws JMSException {
        rest.forget();
        forgetOpened();
        if (settlesItself(mode)) {
            recoverNow();
        } else {
            session.recover();
            noteRecovered();
        }
        recovered = true;
        settled();
    }

    /** Notes that a message waits for the consumer's next call. Returns its mark, for {@link #unhold}. */
    int hold() {
        held++;
        return returned;
    }

    /** Notes that no message waits any more. Returns whether the one with this mark did not go back to the broker. */
    boolean unhold(int mark) {
        if (returned != mark) {
            return false;
        }
        held--;
        return true;
    }

    /**
     * The large message that an application is reading, if any. The message is settled when its end is verified. It
     * goes back to the broker if its rest cannot be opened. Like a session, for one thread at a time.
     */
    static final class UnreadBody {
        private @Nullable StreamedBytesMessage message;

        /** The last large message; the only one that can be read again. */
        private @Nullable StreamedBytesMessage kept;

        /** Watches a message if it is opened while the application reads it. */
        public void watch(StreamedBytesMessage streamed, PayloadParts.EndListener listener) {
            release();
            kept = streamed;
            message = streamed;
            streamed.setEndListener(new PayloadParts.EndListener() {
                @Override
                public void ended() throws JMSException {
                    message = null;
                    listener.ended();
                }

                @Override
                public void failed(JMSException e) {
                    message = null;
                    listener.failed(e);
                }
            });
        }

        /** Verifies the unread rest, because providers drop it at the next call for a message. */
        public void verify() throws JMSException {
            if (message != null) {
                message.verifyRest();
            }
        }

        /** Drops what is needed to read the last large message again. */
        public void release() {
            if (kept != null) {
                kept.release();
                kept = null;
            }
        }

        /** Forgets the message, because it is settled in another way. */
        public void forget() {
            message = null;
        }
    }

    /**
     * Acknowledges a message, except while another one is held: that could be acknowledged too.
     *
     * @throws JMSException if the provider fails, or an earlier message did not go back; this one then goes back
     */
    private void acknowledgeAlone(Message received) throws JMSException {
        if (held > 0) {
            return;
        }
        if (lastFailed) {
            JMSException e = new JMSException("session: an earlier message could not be given back to the broker");
            returnNow(received, e);
            throw e;
        }
        if (direct == null) {
            received.acknowledge();
        } else {
            direct.acknowledge(received);
        }
    }

    /**
     * Gives a message back.
     *
     * @param cause gets a failure of the provider as a suppressed exception
     */
    private void returnNow(Message arrived, Throwable cause) {
        returned++;
        held = 0;
        try {
            if (direct == null) { // the library may be unknown until the first message arrives
                opening.library().giveBack(arrived, session);
            } else {
                direct.giveBack(arrived);
            }
            lastFailed = false;
        } catch (JMSException | RuntimeException e) {
            lastFailed = true;
            cause.addSuppressed(e);
        }
    }

    /** Gives all unacknowledged messages back. */
    private void recoverNow() throws JMSException {
        if (direct == null) {
            opening.library().recover(session);
        } else {
            direct.recover();
        }
        noteRecovered();
    }

    /** Notes that the session gave all unacknowledged messages back. */
    private void noteRecovered() {
        returned++;
        held = 0;
        lastFailed = false;
    }
}
