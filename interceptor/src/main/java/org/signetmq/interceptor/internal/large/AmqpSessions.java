/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPSessionCallback;
import org.apache.activemq.artemis.protocol.amqp.broker.ActiveMQProtonRemotingConnection;
import org.apache.activemq.artemis.protocol.amqp.proton.handler.ProtonHandler;
import org.apache.activemq.artemis.protocol.amqp.sasl.SASLResult;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.protocol.SessionCallback;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.storage.BrokerField;

/**
 * Finds the session by which a large AMQP message arrives. The broker begins it on a thread that many connections
 * share, but gives it the object pools of its session. Thread-safe.
 */
final class AmqpSessions {
    private final ActiveMQServer server;
    private final Map<CoreMessageObjectPools, WeakReference<ServerSession>> known =
            Collections.synchronizedMap(new WeakHashMap<>());

    AmqpSessions(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Checks that the broker gives each large AMQP message the pools of its session.
     *
     * @throws MessageRejectedException if this version of the broker does not
     * @throws LinkageError if it reads AMQP in another way
     */
    static void requireInternals() throws MessageRejectedException {
        BrokerField.require(AMQPSessionCallback.class, CoreMessageObjectPools.class);
        BrokerField.require(AMQPLargeMessage.class, CoreMessageObjectPools.class);
        var unused = Reading.IN_DISPATCH;
    }

    /**
     * Returns the connection whose AMQP frames this thread reads; null if it reads none. A Core message within AMQP,
     * which a mirror or any other client may send, has no session when it begins.
     */
    @Nullable
    RemotingConnection reading() {
        try {
            return Reading.by(server.getRemotingService().getConnections());
        } catch (LinkageError noAmqp) {
            return null;
        }
    }

    /** Loaded only where the broker has the AMQP protocol. */
    private static final class Reading {
        /** Whether a connection passes on the frames that came. */
        private static final VarHandle IN_DISPATCH = inDispatch();

        private static VarHandle inDispatch() {
            try {
                return MethodHandles.privateLookupIn(ProtonHandler.class, MethodHandles.lookup())
                        .findVarHandle(ProtonHandler.class, "inDispatch", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static @Nullable RemotingConnection by(Collection<RemotingConnection> connections) {
            for (RemotingConnection each : connections) {
                if (each instanceof ActiveMQProtonRemotingConnection amqp) {
                    ProtonHandler handler = amqp.getAmqpConnection().getHandler();
                    if (handler.isHandler() && (boolean) IN_DISPATCH.get(handler)) {
                        return each;
                    }
                }
            }
            return null;
        }
    }

    /** Returns the name by which a client of AMQP logged in; null if it has none. */
    static @Nullable String user(RemotingConnection connection) {
        SASLResult login = ((ActiveMQProtonRemotingConnection) connection)
                .getAmqpConnection()
                .getSASLResult();
        return login == null ? null : login.getUser();
    }

    /** Returns the session of a message; null if it is unknown. It searches all sessions once for each session. */
    @Nullable
    ServerSession of(Object message) {
        CoreMessageObjectPools pools = pools(message);
        if (pools == null) {
            return null;
        }
        WeakReference<ServerSession> session = known.get(pools);
        if (session == null) {
            session = new WeakReference<>(search(pools));
            known.put(pools, session);
        }
        return session.get();
    }

    @SuppressWarnings("ReferenceEquality") // each session has its own
    private @Nullable ServerSession search(CoreMessageObjectPools pools) {
        for (ServerSession session : server.getSessions()) {
            try {
                SessionCallback callback =
                        BrokerField.of(session, SessionCallback.class).get();
                if (callback != null && pools(callback) == pools) {
                    return session;
                }
            } catch (MessageRejectedException | IllegalAccessException other) {
                // a session of another class
            }
        }
        return null;
    }

    private static @Nullable CoreMessageObjectPools pools(Object owner) {
        try {
            return BrokerField.of(owner, CoreMessageObjectPools.class).get();
        } catch (MessageRejectedException | IllegalAccessException none) {
            return null;
        }
    }
}
