/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.settlement.SessionSettlement;

/**
 * The resource of an XA session. It rolls a branch back at its end if a message in it could not be opened. No
 * transaction manager can commit such a branch, through any resource. As a session, for one thread at a time.
 */
final class SignetXAResource implements XAResource {
    private final XAResource delegate;
    private @Nullable SessionSettlement settlement;
    private @Nullable Xid current;
    private @Nullable Xid rolledBack;

    SignetXAResource(XAResource delegate) {
        this.delegate = delegate;
    }

    /** Tells these consumers of the session how branches begin, and asks them whether one may be committed. */
    SignetXAResource tells(SessionSettlement consumers) {
        settlement = consumers;
        return this;
    }

    /**
     * Outside of a branch the provider acknowledges a message at once, before Signet opens it, so it could not go back.
     */
    void requireBranch() throws JMSException {
        if (current == null) {
            throw new IllegalStateException(
                    "XA session: receives in a transaction only; begin one and enlist the session");
        }
    }

    /**
     * Rolls the current branch back and begins it anew, so that the broker counts the message in it as delivered.
     *
     * @throws JMSException if the branch cannot be used any more
     */
    void rollBackAndBeginAnew() throws JMSException {
        requireBranch();
        Xid xid = current;
        try {
            current = null;
            delegate.end(xid, TMFAIL);
            delegate.rollback(xid);
            delegate.start(xid, TMNOFLAGS);
            current = xid;
        } catch (XAException e) {
            JMSException failure =
                    new JMSException("XA session: the branch cannot be begun anew, XA error " + e.errorCode);
            failure.initCause(e);
            throw failure;
        }
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        delegate.start(xid, flags);
        current = xid;
        if (settlement == null) {
            return;
        }
        if (flags == TMNOFLAGS) {
            settlement.branchBegan();
        } else {
            settlement.branchContinued();
        }
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        boolean rollsBack = settlement != null && isSame(xid, current) && !settlement.branchMayCommit();
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
            rolledBack = null; // done already
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

    /** Each session has its own branch, because it could not know the content of a joined one. */
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

    /** Not every transaction manager's Xid has an equals. */
    private static boolean isSame(Xid one, @Nullable Xid other) {
        return other != null
                && one.getFormatId() == other.getFormatId()
                && Arrays.equals(one.getGlobalTransactionId(), other.getGlobalTransactionId())
                && Arrays.equals(one.getBranchQualifier(), other.getBranchQualifier());
    }
}
