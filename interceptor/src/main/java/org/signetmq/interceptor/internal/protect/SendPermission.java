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
 * Checks a client's permission to send before the plugin does any work. It remembers a permission for one second. The
 * broker checks the permission again when it routes the message. Thread-safe.
 */
final class SendPermission {
    private static final int PLACES = 1 << 10;
    private static final long REMEMBER = TimeUnit.SECONDS.toNanos(1);

    private final ActiveMQServer server;
    private final AtomicReferenceArray<@Nullable Granted> remembered = new AtomicReferenceArray<>(PLACES);

    /** A permission, with names in place of the session, so that it keeps no session in memory. */
    private record Granted(String session, String user, SimpleString destination, long until) {
        boolean covers(String name, String sender, SimpleString address) {
            return session.equals(name)
                    && user.equals(sender)
                    && destination.equals(address)
                    && System.nanoTime() - until < 0;
        }
    }

    SendPermission(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Checks that this session may send to the address. Sessions without a user are the broker's own. Their security
     * may be off, which only the broker knows, so this method accepts them.
     *
     * @param given the address as the client wrote it, perhaps with a queue part
     * @throws Exception the broker's exception if the session has no permission
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
