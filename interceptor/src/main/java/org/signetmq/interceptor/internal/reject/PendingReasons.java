/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.WeakHashMap;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the reasons of rejections for STOMP clients until an ERROR frame carries them, because the broker does not send
 * them. Each connection has its own reasons, in the order of its messages. Thread-safe.
 */
public final class PendingReasons {
    private static final String STOMP = "STOMP";

    /** The largest number of reasons of a connection, which sends one message after the other. */
    private static final int MOST_OF_CONNECTION = 16;

    private final Map<RemotingConnection, Queue<String>> reasons = new WeakHashMap<>(); // guarded by this

    /** Keeps the reason if the session belongs to a STOMP client. */
    public void keep(@Nullable ServerSession session, @Nullable String reason) {
        RemotingConnection connection = session == null ? null : session.getRemotingConnection();
        if (connection == null || reason == null || !STOMP.equals(connection.getProtocolName())) {
            return;
        }
        synchronized (this) {
            Queue<String> pending = reasons.computeIfAbsent(connection, first -> new ArrayDeque<>());
            if (pending.size() < MOST_OF_CONNECTION) {
                pending.add(reason);
            }
        }
    }

    /** Removes and returns the oldest reason of a connection; empty if it has none. */
    synchronized Optional<String> take(RemotingConnection connection) {
        Queue<String> pending = reasons.get(connection);
        if (pending == null) {
            return Optional.empty();
        }
        String reason = pending.poll();
        if (pending.isEmpty()) {
            reasons.remove(connection);
        }
        return Optional.ofNullable(reason);
    }
}
