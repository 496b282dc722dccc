/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.lang.ref.WeakReference;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ServerSession;

/**
 * The decision about messages of one session to one address: the session may send, and this is how its messages are
 * protected. It keeps no session in memory. Immutable.
 */
public final class SendDecision {
    private final WeakReference<ServerSession> session;
    private final SimpleString given;
    private final boolean secured;
    private final Optional<ProtectionRequest> request;

    /** The end of the validity, in nanoseconds of the monotonic clock; set by {@link SendDecisions}. */
    private final long until;

    SendDecision(Subject subject, Optional<ProtectionRequest> request, long until) {
        this.session = new WeakReference<>(subject.session());
        this.given = subject.given();
        this.secured = subject.secured();
        this.request = request;
        this.until = until;
    }

    /**
     * The subject of a decision.
     *
     * @param given the address as the client wrote it
     * @param secured whether the broker's security is on
     */
    record Subject(ServerSession session, SimpleString given, boolean secured) {
        int hash() {
            int hash = 31 * System.identityHashCode(session) + given.hashCode();
            return hash ^ hash >>> 16;
        }
    }

    /** Returns the request to protect a message; empty if messages pass unchanged. */
    public Optional<ProtectionRequest> request() {
        return request;
    }

    long until() {
        return until;
    }

    boolean covers(Subject subject, long now) {
        return session.refersTo(subject.session())
                && secured == subject.secured()
                && given.equals(subject.given())
                && now - until < 0;
    }
}
