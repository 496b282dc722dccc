/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the broker's answer to a management request. Only the answer is routed to the reply address by the session
 * of the request, during the send and on its thread. The broker calls no plugin before it routes an answer.
 */
final class ManagementReplies {
    @SuppressWarnings("ThreadLocalUsage") // one for each plugin, and brokers in one process do not share it
    private final ThreadLocal<@Nullable Request> current = new ThreadLocal<>();

    private record Request(ServerSession session, String replyTo) {}

    /** Notes that a session sends a request. */
    void begin(ServerSession session, Message request) {
        SimpleString replyTo = request.getReplyTo();
        if (replyTo == null) {
            current.remove();
        } else {
            current.set(new Request(session, withoutScheme(replyTo.toString())));
        }
    }

    /** Notes that a session sends another message, or that its send is over. */
    void end() {
        if (current.get() != null) { // a removal costs more than a read, for each message
            current.remove();
        }
    }

    /** Returns whether this thread is in the send of a request with a reply address. */
    boolean isAwaited() {
        return current.get() != null;
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
