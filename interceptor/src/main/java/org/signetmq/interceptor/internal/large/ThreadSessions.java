/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.impl.journal.OperationContextImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Finds the session for which a thread works, where the broker does not tell it. A sending session's thread holds the
 * session's monitor. A Core session binds its context to the thread while it receives a large message.
 */
final class ThreadSessions {
    private final ActiveMQServer server;

    ThreadSessions(ActiveMQServer server) {
        this.server = server;
    }

    /** The session, or null: federation, for one, has none. */
    @Nullable
    ServerSession ofThisThread() {
        OperationContext context = OperationContextImpl.getContext();
        ServerSession sending = null;
        ServerSession bound = null;
        for (ServerSession session : server.getSessions()) {
            if (Thread.holdsLock(session)) {
                if (session.getRemotingConnection() instanceof ManagementRemotingConnection) {
                    return session; // sends within the send of the request
                }
                sending = session;
            } else if (context != null && session.getSessionContext() == context) {
                bound = session;
            }
        }
        return sending == null ? bound : sending;
    }
}
