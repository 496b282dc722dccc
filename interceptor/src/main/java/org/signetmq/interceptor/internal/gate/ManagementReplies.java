/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Knows the management request that the broker answers on a thread, and recognises the answer. Only the answer is
 * routed to the reply address by the session of the request, during the send and on its thread. The broker calls no
 * plugin before it routes an answer.
 */
final class ManagementReplies {
    @SuppressWarnings("ThreadLocalUsage") // one for each plugin, and brokers in one process do not share it
    private final ThreadLocal<@Nullable Request> current = new ThreadLocal<>();

    private record Request(ServerSession session, @Nullable String replyTo) {}

    /** Notes that a session sends a request. */
    void begin(ServerSession session, Message request) {
        SimpleString replyTo = request.getReplyTo();
        current.set(new Request(session, replyTo == null ? null : withoutScheme(replyTo.toString())));
    }

    /** Notes that a session sends another message, or that its send is over. */
    void end() {
        if (current.get() != null) { // a removal costs more than a read, for each message
            current.remove();
        }
    }

    /** Returns whether this thread is in the send of a request with a reply address. */
    boolean isAwaited() {
        Request request = current.get();
        return request != null && request.replyTo() != null;
    }

    /** Returns the session of the request that the broker answers on this thread; null if there is none. */
    @Nullable
    ServerSession requester() {
        Request request = current.get();
        return request == null ? null : request.session();
    }

    boolean isReply(RoutingContext context, SimpleString address) {
        Request request = current.get();
        return request != null
                && context.getServerSession() == request.session()
                && address.toString().equals(request.replyTo());
    }

    /** Returns the address without a scheme such as {@code queue://}, which the broker removes. */
    private static String withoutScheme(String replyTo) {
        int end = replyTo.indexOf("://");
        return end < 0 ? replyTo : replyTo.substring(end + "://".length());
    }
}
