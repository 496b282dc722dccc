/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;

/**
 * Checks the permission to send before any work. The broker checks it again when it routes. An answer is remembered for
 * a second; the broker's own remains the one that counts. Thread-safe.
 */
final class SendPermission {
    private static final int PLACES = 1 << 10;
    private static final long REMEMBER = TimeUnit.SECONDS.toNanos(1);

    private final ActiveMQServer server;
    private final AtomicReferenceArray<@Nullable Granted> remembered = new AtomicReferenceArray<>(PLACES);

    /** The permissions to send, by names, so that this keeps no session alive. */
    private record Granted(String session, String user, SimpleString destination, long until) {
        boolean covers(String name, String who, SimpleString where) {
            return session.equals(name)
                    && user.equals(who)
                    && destination.equals(where)
                    && System.nanoTime() - until < 0;
        }
    }

    SendPermission(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Returns if this session may send here. Sessions without a login are the broker's own, and the plugin cannot see
     * that their security is off. Only the broker judges them.
     *
     * @param given the address as the client gave it, perhaps with a queue
     * @throws Exception if it may not, as the broker says it
     */
    void check(ServerSession session, SimpleString address, @Nullable SimpleString given) throws Exception {
        String user = session.getValidatedUser();
        if (!server.getSecurityStore().isSecurityEnabled() || user == null) {
            return;
        }
        String name = session.getName();
        SimpleString destination = given == null ? address : given;
        int place = (31 * name.hashCode() + destination.hashCode()) & (PLACES - 1);
        Granted granted = remembered.getOpaque(place);
        if (granted != null && granted.covers(name, user, destination)) {
            return;
        }
        SimpleString queue = CompositeAddress.isFullyQualified(given) ? CompositeAddress.extractQueueName(given) : null;
        server.getSecurityStore().check(address, queue, CheckType.SEND, session);
        remembered.setRelease(place, new Granted(name, user, destination, System.nanoTime() + REMEMBER));
    }
}
