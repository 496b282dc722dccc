/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;

/** An XA context with consumers that open sealed messages. Like any context, for one thread at a time. */
public final class SignetXAContext extends SignetContext implements XAJMSContext {
    private final XAJMSContext delegate;
    private final SignetXAResource resource;

    public SignetXAContext(XAJMSContext delegate, AddressedOpener opener) {
        this(
                delegate,
                new SignetXAResource(
                        delegate.getXAResource(),
                        ProviderSession.of(delegate),
                        new MessageOpening(opener, delegate),
                        false),
                opener);
    }

    private SignetXAContext(XAJMSContext delegate, SignetXAResource resource, AddressedOpener opener) {
        super(delegate, resource.settlement(), SESSION_TRANSACTED, opener);
        this.delegate = delegate;
        this.resource = resource;
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    /** Throws the provider's exception, because only the transaction manager commits. */
    @Override
    public void commit() {
        delegate.commit();
    }

    /** Throws the provider's exception, because only the transaction manager rolls back. */
    @Override
    public void rollback() {
        delegate.rollback();
    }
}
