/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.Queue;

/**
 * Shows all messages of a queue to a visitor: those in memory, scheduled and paged ones. It uses the broker's move with
 * a filter that selects nothing, because a browser does not see messages that arrived a moment ago.
 */
final class QueueVisit extends MessageFilter {
    private final Consumer<Message> visitor;

    private QueueVisit(Consumer<Message> visitor) {
        this.visitor = visitor;
    }

    static void of(Queue queue, Consumer<Message> visitor) throws Exception {
        int unused = queue.moveReferences(new QueueVisit(visitor), queue.getAddress(), null);
    }

    @Override
    public boolean match(Message message) {
        visitor.accept(message);
        return false;
    }
}
