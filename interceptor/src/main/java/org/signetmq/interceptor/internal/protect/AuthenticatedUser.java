/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/** The user of a session, if the broker vouches for it. */
final class AuthenticatedUser {
    private AuthenticatedUser() {}

    /**
     * Whether a session is not a client's: it belongs to the cluster, or to a connection that this broker made. With
     * security every client has a user.
     */
    static boolean isBroker(ServerSession session, ActiveMQServer server) {
        if (!isSecured(server) || session.getRemotingConnection() instanceof ManagementRemotingConnection) {
            return false;
        }
        String user = session.getValidatedUser();
        return user == null
                || user.isEmpty()
                || user.equals(server.getConfiguration().getClusterUser());
    }

    private static boolean isSecured(ActiveMQServer server) {
        return server.getConfiguration().isSecurityEnabled()
                && server.getSecurityStore().isSecurityEnabled();
    }

    /**
     * Returns the user, or null. Without security the name is only the client's claim. Sessions of the cluster and of
     * the management send messages of others.
     */
    static @Nullable String of(ServerSession session, ActiveMQServer server) {
        if (!isSecured(server) || session.getRemotingConnection() instanceof ManagementRemotingConnection) {
            return null;
        }
        String user = session.getValidatedUser();
        return user == null
                        || user.isEmpty()
                        || user.equals(server.getConfiguration().getClusterUser())
                ? null
                : user;
    }
}
