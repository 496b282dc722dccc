/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;

/**
 * Checks a client's permission to send before the plugin does any work. The broker checks the permission again when it
 * routes the message.
 */
final class SendPermission {
    private SendPermission() {}

    /**
     * Checks that this session may send to the address. Sessions without a user are the broker's own. Their security
     * may be off, which only the broker knows, so this method accepts them.
     *
     * @param address the bare address
     * @param given the address as the client wrote it, perhaps with a queue part
     * @throws Exception the broker's exception if the session has no permission
     */
    static void check(ActiveMQServer server, ServerSession session, SimpleString address, @Nullable SimpleString given)
            throws Exception {
        if (server.getSecurityStore().isSecurityEnabled() && session.getValidatedUser() != null) {
            SimpleString queue =
                    CompositeAddress.isFullyQualified(given) ? CompositeAddress.extractQueueName(given) : null;
            server.getSecurityStore().check(address, queue, CheckType.SEND, session);
        }
    }
}
