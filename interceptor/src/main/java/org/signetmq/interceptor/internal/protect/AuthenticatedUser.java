/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/** Finds the user of a session, if the broker authenticated it. */
final class AuthenticatedUser {
    private AuthenticatedUser() {}

    /**
     * Returns whether a session belongs to the cluster or to a connection that this broker made. With security every
     * client has a user.
     */
    static boolean isBroker(ServerSession session, ActiveMQServer server) {
        return authenticates(session, server) && of(session, server) == null;
    }

    private static boolean authenticates(ServerSession session, ActiveMQServer server) {
        return server.getConfiguration().isSecurityEnabled()
                && server.getSecurityStore().isSecurityEnabled()
                && !(session.getRemotingConnection() instanceof ManagementRemotingConnection);
    }

    /**
     * Returns the authenticated user; null if there is none. Without security the name is only the client's claim.
     * Sessions of the cluster and of the management send messages of other users.
     */
    static @Nullable String of(ServerSession session, ActiveMQServer server) {
        String user = authenticates(session, server) ? session.getValidatedUser() : null;
        boolean isClient = user != null
                && !user.isEmpty()
                && !user.equals(server.getConfiguration().getClusterUser());
        return isClient ? user : null;
    }
}
