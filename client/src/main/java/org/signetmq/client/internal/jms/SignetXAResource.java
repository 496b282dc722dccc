/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.signetmq.client.internal.provider.Wrapper;
import org.signetmq.keystore.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource of an XA session. It rolls a branch back at its end if a message in it could not be opened. No
 * transaction manager can commit such a branch, through any resource. Like a session, for one thread at a time.
 */
final class SignetXAResource implements XAResource {
    private static final Logger LOG = LoggerFactory.getLogger(SignetXAResource.class);

    /** Milliseconds for which a call waits in one branch of its own. */
    private static final long LONGEST_WAIT = 30_000;

    private final XAResource delegate;
    private final SessionSettlement settlement;
    private final Branch branch = new Branch();
    private final boolean listens;
    private volatile @Nullable Xid current; // a listener may run beside the transaction manager
    private @Nullable Xid rolledBack;

    /**
     * Wraps the resource of a session.
     *
     * @param listens whether no listener gets a message that the provider acknowledged outside of transactions
     */
    SignetXAResource(XAResource delegate, Session session, MessageOpening opening, boolean listens) {
        this.delegate = delegate;
        this.listens = listens;
        this.settlement = new SessionSettlement(session, branch, Session.SESSION_TRANSACTED, opening);
    }

    /** Returns the settlement of the session, which judges whether a branch may commit. */
    SessionSettlement settlement() {
        return settlement;
    }

    /**
     * Returns a listener that acknowledges each message in the current branch, or else in a branch of its own. The
     * settlement ends that branch before it calls the application's listener.
     */
    MessageListener joining(DirectConsumer consumer, MessageListener listener) {
        return arrived -> {
            try {
                branch.beforeReceiving();
                consumer.acknowledge(arrived);
            } catch (JMSException e) {
                LOG.warn(
                        "XA session: message not acknowledged, it comes again to the next consumer: {}",
                        PrintableText.of(e.getMessage(), PrintableText.LONGEST_REASON));
                branch.undo(e);
                return;
            }
            listener.onMessage(arrived);
        };
    }

    /** A branch around one message that is received outside of transactions. */
    private static final class OwnXid implements Xid {
        private static final int FORMAT = 0x5167;

        private final String id = UUID.randomUUID().toString();

        @Override
        public int getFormatId() {
            return FORMAT;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return id.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[1];
        }
    }

    /** The current branch, as the settlement of the session sees it. An application cannot reach it. */
    private final class Branch implements SessionSettlement.Transaction {
        /**
         * Begins a branch outside of transactions. There the provider would acknowledge a message before Signet opens
         * it.
         */
        @Override
        public void beforeReceiving() throws JMSException {
            if (current != null) {
                return;
            }
            try {
                start(new OwnXid(), TMNOFLAGS);
            } catch (XAException e) {
                throw Wrapper.caused(
                        new IllegalStateException(
                                "XA session: closed, or its broker has no transactions, XA error " + e.errorCode),
                        e);
            }
        }

        /** Waits in parts, because brokers end branches that take too long. */
        @Override
        public ReceiveTimeout.Call receiving(ReceiveTimeout.Call call) {
            return current instanceof OwnXid
                    ? millis -> millis == ReceiveTimeout.AT_ONCE ? call.receive(millis) : inParts(call, millis)
                    : call;
        }

        private @Nullable Message inParts(ReceiveTimeout.Call call, long millis) throws JMSException {
            long left = millis == ReceiveTimeout.FOREVER ? Long.MAX_VALUE : millis;
            while (true) {
                long part = Math.min(left, LONGEST_WAIT);
                long began = System.nanoTime();
                Message message = call.receive(part);
                left -= part;
                boolean early = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) < part / 2; // closed
                if (message != null || left == 0 || early) {
                    return message;
                }
                afterReceiving(null);
                beforeReceiving();
            }
        }

        @Override
        public void afterReceiving(@Nullable ReceivedMessage message) throws JMSException {
            if (!(current instanceof OwnXid own)) {
                return;
            }
            try {
                if (message instanceof StreamedBytesMessage large) {
                    large.getBodyLength(); // verifies what the application reads later
                }
                end(own, TMSUCCESS);
                commit(own, true);
            } catch (JMSException e) {
                undo(e);
                throw e;
            } catch (XAException e) {
                throw failure("the message was not acknowledged", e);
            }
        }

        /** Commits a branch of its own. */
        @Override
        public boolean commitAside(Session session) throws JMSException {
            if (!(current instanceof OwnXid)) {
                return false;
            }
            afterReceiving(null);
            return true;
        }

        /** Rolls the branch back if it is one of its own. */
        private void undo(JMSException cause) {
            if (!(current instanceof OwnXid own)) {
                return;
            }
            try {
                end(own, TMFAIL);
                SignetXAResource.this.rollback(own);
            } catch (XAException e) {
                cause.addSuppressed(e);
            }
        }

        @Override
        public void beforeListening() throws JMSException {
            if (!listens) {
                throw new IllegalStateException("XA: a listener's message would be acknowledged before it is opened; "
                        + "receive instead, or use a session in place of a context");
            }
        }

        /**
         * Rolls the current branch back, so that the broker counts a delivery of its message. A branch of the
         * application begins again.
         *
         * @throws JMSException if the branch cannot begin again
         */
        @Override
        public void rollback(Session session) throws JMSException {
            beforeReceiving();
            Xid xid = current;
            try {
                current = null;
                delegate.end(xid, TMFAIL);
                delegate.rollback(xid);
                if (!(xid instanceof OwnXid)) {
                    delegate.start(xid, TMNOFLAGS);
                    current = xid;
                }
            } catch (XAException e) {
                throw failure("the branch cannot begin again", e);
            }
        }

        private static JMSException failure(String what, XAException cause) {
            return Wrapper.caused(new JMSException("XA session: " + what + ", XA error " + cause.errorCode), cause);
        }
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        delegate.start(xid, flags);
        current = xid;
        if (flags == TMNOFLAGS) {
            settlement.branchBegan();
        } else {
            settlement.branchContinued();
        }
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        boolean rollsBack = isSame(xid, current) && !settlement.branchMayCommit();
        if (isSame(xid, current)) {
            current = null;
        }
        if (!rollsBack) {
            delegate.end(xid, flags);
            return;
        }
        delegate.end(xid, TMFAIL);
        delegate.rollback(xid);
        rolledBack = xid;
        throw rolledBack();
    }

    private static XAException rolledBack() {
        XAException failure = new XAException("transaction: rolled back, a message in it could not be opened");
        failure.errorCode = XAException.XA_RBROLLBACK;
        return failure;
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        rejectRolledBack(xid);
        return delegate.prepare(xid);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        rejectRolledBack(xid);
        delegate.commit(xid, onePhase);
    }

    private void rejectRolledBack(Xid xid) throws XAException {
        if (isSame(xid, rolledBack)) {
            rolledBack = null;
            throw rolledBack();
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        if (isSame(xid, rolledBack)) {
            rolledBack = null; // already rolled back
        } else {
            delegate.rollback(xid);
        }
    }

    @Override
    public void forget(Xid xid) throws XAException {
        delegate.forget(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return delegate.recover(flag);
    }

    /** Returns true only for this session, because a session would not know the content of a joined branch. */
    @Override
    public boolean isSameRM(XAResource other) {
        return other == this || (other instanceof SignetXAResource resource && resource.delegate == delegate);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return delegate.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return delegate.setTransactionTimeout(seconds);
    }

    /** Compares two branches by value, because not every transaction manager's Xid has an equals method. */
    private static boolean isSame(Xid one, @Nullable Xid other) {
        return other != null
                && one.getFormatId() == other.getFormatId()
                && Arrays.equals(one.getGlobalTransactionId(), other.getGlobalTransactionId())
                && Arrays.equals(one.getBranchQualifier(), other.getBranchQualifier());
    }
}
