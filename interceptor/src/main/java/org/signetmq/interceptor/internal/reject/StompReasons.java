/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import org.apache.activemq.artemis.core.protocol.stomp.StompFrame;
import org.apache.activemq.artemis.core.protocol.stomp.StompFrameInterceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Keeps the reasons of rejections for STOMP clients until an ERROR frame carries them. The broker itself writes there
 * only that a message could not be sent. Each connection has its own reasons, in the order of its messages.
 * Thread-safe.
 */
public final class StompReasons {
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

    /** Removes and returns the oldest reason of a connection; null if it has none. */
    private synchronized @Nullable String take(RemotingConnection connection) {
        Queue<String> pending = reasons.get(connection);
        String reason = pending == null ? null : pending.poll();
        if (pending != null && pending.isEmpty()) {
            reasons.remove(connection);
        }
        return reason;
    }

    /**
     * Adds the reasons to frames from now on. The result ends that.
     *
     * @throws LinkageError if the broker has no STOMP protocol
     */
    public AutoCloseable install(ActiveMQServer server) {
        Frames installed = new Frames(this);
        server.getRemotingService().addOutgoingInterceptor(installed);
        return () -> server.getRemotingService().removeOutgoingInterceptor(installed);
    }

    /** Adds the reason to an ERROR frame. This class is loaded only where the broker has the STOMP protocol. */
    private record Frames(StompReasons reasons) implements StompFrameInterceptor {
        private static final String ERROR = "ERROR";
        private static final String MESSAGE = "message";

        /** The broker's code for a message that could not be sent. */
        private static final String NOT_SENT = "AMQ339011";

        @Override
        public boolean intercept(StompFrame frame, RemotingConnection connection) {
            try {
                boolean notSent = ERROR.equals(frame.getCommand())
                        && String.valueOf(frame.getHeader(MESSAGE)).startsWith(NOT_SENT);
                String reason = notSent ? reasons.take(connection) : null;
                if (reason != null) {
                    frame.addHeader("content-type", "text/plain");
                    frame.setByteBody(reason.getBytes(StandardCharsets.UTF_8));
                }
            } catch (Throwable e) { // the client still receives the broker's text
                PluginLog.LOG.debug("a STOMP client does not receive the reason of its rejection", e);
            }
            return true;
        }
    }
}
