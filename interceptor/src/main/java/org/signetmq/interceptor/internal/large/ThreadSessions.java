/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.impl.journal.OperationContextImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Finds the session that uses a thread, because the broker does not pass it to its storage. The thread of a sending
 * session holds the session's monitor. A Core session binds its context to the thread while it receives a large
 * message.
 */
final class ThreadSessions {
    private final ActiveMQServer server;

    ThreadSessions(ActiveMQServer server) {
        this.server = server;
    }

    /** Returns the session; null if the thread has none, for example for a federation. */
    @Nullable
    ServerSession ofThisThread() {
        OperationContext context = OperationContextImpl.getContext();
        ServerSession sending = null;
        ServerSession bound = null;
        for (ServerSession session : server.getSessions()) {
            if (Thread.holdsLock(session)) {
                if (session.getRemotingConnection() instanceof ManagementRemotingConnection) {
                    return session; // a management request sends a message within its own send
                }
                sending = session;
            } else if (context != null && session.getSessionContext() == context) {
                bound = session;
            }
        }
        return sending == null ? bound : sending;
    }
}
