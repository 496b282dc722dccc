/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;

/** Asks early what the broker asks again when it routes: nobody without permission makes the plugin work. */
final class SendPermission {
    private final ActiveMQServer server;

    SendPermission(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Returns if this session may send here. Sessions that nobody logged in to are the broker's own, with their
     * security switched off where the plugin cannot see it; them the broker alone judges.
     *
     * @throws Exception if it may not, as the broker says it
     */
    void check(ServerSession session, SimpleString address, @Nullable SimpleString given) throws Exception {
        if (!server.getSecurityStore().isSecurityEnabled() || session.getValidatedUser() == null) {
            return;
        }
        SimpleString queue = CompositeAddress.isFullyQualified(given) ? CompositeAddress.extractQueueName(given) : null;
        server.getSecurityStore().check(address, queue, CheckType.SEND, session);
    }
}
