/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the broker's answer to a management request. It is the one message that the request's session routes to
 * the reply address, within the send and on its thread. Answers are built inside the broker, where no hook sees them
 * before they are routed.
 */
final class ManagementReplies {
    @SuppressWarnings("ThreadLocalUsage") // one per running plugin, and brokers in one process do not share it
    private final ThreadLocal<@Nullable Request> current = new ThreadLocal<>();

    private record Request(ServerSession session, String replyTo) {}

    /** A session sends a request. */
    void begin(ServerSession session, Message request) {
        SimpleString replyTo = request.getReplyTo();
        if (replyTo == null) {
            current.remove();
        } else {
            current.set(new Request(session, withoutScheme(replyTo.toString())));
        }
    }

    /** A session sends something else, or has finished. */
    void end() {
        if (current.get() != null) { // a removal costs more than a look, on each message
            current.remove();
        }
    }

    boolean isReply(RoutingContext context, SimpleString address) {
        Request request = current.get();
        return request != null
                && context.getServerSession() == request.session()
                && address.toString().equals(request.replyTo());
    }

    /** As the broker takes it off: {@code queue://}, {@code temp-topic://} and their like. */
    private static String withoutScheme(String replyTo) {
        int end = replyTo.indexOf("://");
        return end < 0 ? replyTo : replyTo.substring(end + "://".length());
    }
}
