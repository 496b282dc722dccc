/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.server.Queue;

/**
 * The messages that lay in a queue at one moment, by their identifiers. Each is looked at once. Messages that arrive
 * later are sealed anyway. Not thread-safe.
 */
final class BacklogJob {
    /** The greatest number of messages in a job; a further job takes the rest. */
    static final int MOST = 5_000_000;

    private final Queue queue;
    private final BitSet seen = new BitSet();
    private long[] messages = new long[1024];
    private int size;

    private BacklogJob(Queue queue) {
        this.queue = queue;
    }

    /**
     * Makes a job for the messages of a queue, also scheduled ones.
     *
     * @throws ActiveMQIllegalStateException if the queue does not permit moves within it now
     */
    static BacklogJob of(Queue queue) throws Exception {
        if (queue.isInternalQueue()) {
            throw new ActiveMQIllegalStateException(
                    "a queue of the broker itself, which needs its messages as they are");
        }
        if (queue.isLastValue() || queue.isNonDestructive() || queue.getRingSize() >= 0) {
            throw new ActiveMQIllegalStateException(
                    "a last-value, non-destructive or ring queue: a message that is moved"
                            + " within it could replace another; send its messages again");
        }
        requireNotPaging(queue);
        BacklogJob job = new BacklogJob(queue);
        QueueVisit.of(queue, message -> job.add(message.getMessageID()));
        job.messages = Arrays.copyOf(job.messages, job.size);
        Arrays.sort(job.messages);
        return job;
    }

    /**
     * Checks that the address does not page.
     *
     * @throws ActiveMQIllegalStateException if it does: the broker may wait for ever where it moves a message into a
     *     page
     */
    static void requireNotPaging(Queue queue) throws ActiveMQIllegalStateException {
        PagingStore store = queue.getPagingStore();
        if (store != null && store.isPaging()) {
            throw new ActiveMQIllegalStateException(
                    "the address pages: a page cannot be rewritten while it is read; raise"
                            + " its max-size-bytes and restart, or consume the messages and send them again");
        }
    }

    private void add(long message) {
        if (size < MOST) {
            if (size == messages.length) {
                messages = Arrays.copyOf(messages, Math.min(MOST, 2 * size));
            }
            messages[size++] = message;
        }
    }

    Queue queue() {
        return queue;
    }

    int size() {
        return size;
    }

    /** Returns the number of messages that were not looked at. */
    int remaining() {
        return size - seen.cardinality();
    }

    /** Notes that a message is looked at, and returns whether it belongs to the job and is looked at the first time. */
    boolean takes(long message) {
        int place = Arrays.binarySearch(messages, message);
        if (place < 0 || seen.get(place)) {
            return false;
        }
        seen.set(place);
        return true;
    }
}
