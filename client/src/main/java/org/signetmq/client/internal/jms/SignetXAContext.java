/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.settlement.Inbox;

/** An XA context whose consumers open what they receive. As any context, for one thread at a time. */
public final class SignetXAContext extends SignetContext implements XAJMSContext {
    private final XAJMSContext delegate;
    private final SignetXAResource resource;

    private SignetXAContext(XAJMSContext delegate, SignetXAResource resource, AddressedOpener opener, Inbox inbox) {
        super(delegate, inbox, SESSION_TRANSACTED, opener);
        this.delegate = delegate;
        this.resource = resource.tells(inbox);
    }

    public static SignetXAContext of(XAJMSContext delegate, AddressedOpener opener) {
        SignetXAResource resource = new SignetXAResource(delegate.getXAResource());
        ProviderSession session = new BranchSession(ProviderSession.of(delegate), resource);
        Inbox inbox = new Inbox(session, SESSION_TRANSACTED, new MessageOpening(opener));
        return new SignetXAContext(delegate, resource, opener, inbox);
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    /** What the provider says to it: the transaction manager commits. */
    @Override
    public void commit() {
        delegate.commit();
    }

    /** What the provider says to it: the transaction manager rolls back. */
    @Override
    public void rollback() {
        delegate.rollback();
    }
}
