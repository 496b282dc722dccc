/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.security.cert.X509Certificate;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.home.Identities;
import org.signetmq.interceptor.internal.home.LoadedHome;

/**
 * Checks the sender that an envelope of a client's session names. It must be the session's user, or the signer under
 * the name of its certificate in the home. An envelope that this broker signed, with any of its keys, may name any
 * sender.
 */
final class NamedSenders implements SenderRule {
    private final @Nullable String user;
    private final LoadedHome home;

    private NamedSenders(@Nullable String user, LoadedHome home) {
        this.user = user;
        this.home = home;
    }

    /** Returns the rule for a session. Other brokers send messages of their own users, so they may name any sender. */
    static SenderRule of(ServerSession session, ActiveMQServer server, LoadedHome home) {
        return AuthenticatedUser.isBroker(session, server)
                ? SenderRule.ANY
                : new NamedSenders(AuthenticatedUser.of(session, server), home);
    }

    @Override
    public boolean accepts(String sender, X509Certificate signer) {
        return sender.equals(user)
                || home.names().isKeyOf(home.identities().ofBroker(), signer)
                || (Identities.isName(sender) && home.names().isKeyOf(sender, signer));
    }
}
