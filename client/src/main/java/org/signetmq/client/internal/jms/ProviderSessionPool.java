/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import org.signetmq.client.internal.address.ConsumerAddress;

/** Presents a server's session pool to the provider, with the provider's own sessions. */
final class ProviderSessionPool implements ServerSessionPool {
    private final ServerSessionPool pool;
    private final ConsumerAddress source;

    ProviderSessionPool(ServerSessionPool pool, ConsumerAddress source) {
        this.pool = pool;
        this.source = source;
    }

    @Override
    public ServerSession getServerSession() throws JMSException {
        ServerSession serverSession = pool.getServerSession();
        if (!(serverSession.getSession() instanceof SignetSession session)) {
            throw new JMSException("session: not of a connection of SignetConnectionFactory");
        }
        Session delegate = session.loadedFrom(source);
        return new ServerSession() {
            @Override
            public Session getSession() {
                return delegate;
            }

            @Override
            public void start() throws JMSException {
                serverSession.start();
            }
        };
    }
}
