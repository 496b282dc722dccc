/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.Map;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Counts the messages of a queue by their protection. It browses the queue as a consumer with a browser does: the queue
 * is locked for one message at a time, and delivers meanwhile. For one thread.
 */
final class QueueCount {
    private final Queue queue;
    private final Map<MessageState, Integer> counts = new EnumMap<>(MessageState.class);
    private final long all;
    private int looked;

    private QueueCount(Queue queue) {
        this.queue = queue;
        this.all = queue.getMessageCount();
    }

    /** Counts what lies in a queue, also scheduled messages. Messages with a consumer are not looked at. */
    static QueueCount of(Queue queue, StoredState states, LookBudget budget) {
        QueueCount count = new QueueCount(queue);
        if (count.all > 0 && !budget.isSpent()) {
            count.look(states, budget);
        }
        return count;
    }

    private void look(StoredState states, LookBudget budget) {
        boolean unused = queue.flushExecutor(); // a browser does not see messages that arrived a moment ago
        try (LinkedListIterator<MessageReference> messages = queue.browserIterator()) {
            while (messages.hasNext() && budget.take(looked)) {
                add(messages.next(), states);
            }
            for (MessageReference scheduled : queue.getScheduledMessages()) {
                if (!budget.take(looked)) {
                    break;
                }
                add(scheduled, states);
            }
        } catch (RuntimeException e) {
            // the queue may be deleted meanwhile
            PluginLog.LOG.debug("queue {}: could not be browsed", queue.getName(), e);
        }
    }

    private void add(MessageReference reference, StoredState states) {
        looked++;
        counts.merge(states.of(reference.getMessage(), queue.getAddress()), 1, Integer::sum);
    }

    private int count(MessageState state) {
        return counts.getOrDefault(state, 0);
    }

    /** Returns the number of messages that were looked at and are sealed. */
    int sealed() {
        return looked - count(MessageState.CLEAR) - count(MessageState.UNREADABLE);
    }

    /** Writes the numbers. A queue that changes meanwhile may have other numbers a moment later. */
    void writeTo(ObjectNode target) {
        int known = looked - count(MessageState.UNREADABLE);
        target.put("queue", queue.getName().toString())
                .put("messages", Math.max(all, known))
                .put("clear", count(MessageState.CLEAR))
                .put("as-required", count(MessageState.AS_REQUIRED))
                .put("cannot-tell", count(MessageState.UNCERTAIN))
                .put("otherwise", count(MessageState.OTHERWISE))
                .put("not-looked-at", Math.max(0, all - known));
    }
}
