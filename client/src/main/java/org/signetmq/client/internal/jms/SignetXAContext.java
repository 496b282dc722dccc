/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.settlement.SessionSettlement;

/** An XA context whose consumers open their messages. As any context, for one thread at a time. */
public final class SignetXAContext extends SignetContext implements XAJMSContext {
    private final XAJMSContext delegate;
    private final SignetXAResource resource;

    private SignetXAContext(
            XAJMSContext delegate, SignetXAResource resource, AddressedOpener opener, SessionSettlement settlement) {
        super(delegate, settlement, SESSION_TRANSACTED, opener);
        this.delegate = delegate;
        this.resource = resource.tells(settlement);
    }

    public static SignetXAContext of(XAJMSContext delegate, AddressedOpener opener) {
        SignetXAResource resource = new SignetXAResource(delegate.getXAResource());
        ProviderSession session = new BranchSession(ProviderSession.of(delegate), resource);
        SessionSettlement settlement =
                new SessionSettlement(session, SESSION_TRANSACTED, new MessageOpening(opener, delegate));
        return new SignetXAContext(delegate, resource, opener, settlement);
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    /** The provider throws it, because the transaction manager commits. */
    @Override
    public void commit() {
        delegate.commit();
    }

    /** The provider throws it, because the transaction manager rolls back. */
    @Override
    public void rollback() {
        delegate.rollback();
    }
}
