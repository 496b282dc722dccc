/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.impl.journal.OperationContextImpl;
import org.apache.activemq.artemis.core.protocol.core.CoreRemotingConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.ServerSessionImpl;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Finds the session that uses a thread, because the broker does not pass it to its storage. The thread of a sending
 * session holds the session's monitor. A Core session binds its context to the thread while it receives a large
 * message. Thread-safe.
 */
final class ThreadSessions {
    private final ActiveMQServer server;
    private final Map<OperationContext, WeakReference<ServerSession>> receivers =
            Collections.synchronizedMap(new WeakHashMap<>());

    ThreadSessions(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Checks that a session holds its own monitor while it sends.
     *
     * @throws MessageRejectedException if this version of the broker sends in another way
     */
    static void requireMonitors() throws MessageRejectedException {
        List<Method> sends = Arrays.stream(ServerSessionImpl.class.getMethods())
                .filter(method -> method.getName().equals("send")
                        && method.getParameterCount() > 0
                        && method.getParameterTypes()[0] == Transaction.class)
                .toList();
        if (sends.isEmpty() || !sends.stream().allMatch(method -> Modifier.isSynchronized(method.getModifiers()))) {
            throw new MessageRejectedException("this version of Artemis does not lock a session that sends");
        }
    }

    /**
     * Returns the session that uses this thread; null if there is none, for example for a federation. It searches all
     * sessions, which takes long with many of them.
     */
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

    /**
     * Returns the session that receives a large message on this thread part by part; null if there is none. It searches
     * once for each session.
     */
    @Nullable
    ServerSession receiving() {
        OperationContext context = OperationContextImpl.getContext();
        WeakReference<ServerSession> known = context == null ? null : receivers.get(context);
        ServerSession receiver = known == null ? null : known.get();
        if (receiver != null && isReceiving(receiver)) {
            return receiver;
        }
        ServerSession found = ofThisThread();
        if (found != null && context != null && hasOwn(context, found) && isReceiving(found)) {
            receivers.put(context, new WeakReference<>(found));
        }
        return found;
    }

    /** Returns whether no other session has this context. Sessions of other protocols than Core may share one. */
    private static boolean hasOwn(OperationContext context, ServerSession session) {
        return session.getSessionContext() == context
                && session.getRemotingConnection() instanceof CoreRemotingConnection;
    }

    /** Returns whether an open session is not sending: within a send, the management sends in another session. */
    private boolean isReceiving(ServerSession session) {
        return !Thread.holdsLock(session) && server.getSessionByID(session.getName()) == session;
    }
}
