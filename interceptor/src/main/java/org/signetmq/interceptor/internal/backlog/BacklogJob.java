/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.Iterator;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.jspecify.annotations.Nullable;

/**
 * The messages that lay in a queue at one moment. Their identifiers are not above the last one that the broker had
 * given then. Later messages are sealed anyway, and the sealed copies are later messages too. Not thread-safe.
 */
final class BacklogJob implements AutoCloseable {
    private final QueueMessages messages;
    private final long last;
    private final long count;
    private final MessageIds seen = new MessageIds();
    private @Nullable LinkedListIterator<MessageReference> browser;
    private @Nullable Iterator<MessageReference> scheduled;
    private long looked;
    private long sealed;
    private boolean browsed;
    private boolean begun;
    private boolean ended;

    private BacklogJob(QueueMessages messages, long last) {
        this.messages = messages;
        this.last = last;
        this.count = messages.queue().getMessageCount();
    }

    /**
     * Makes a job for the messages of a queue, also scheduled ones.
     *
     * @throws ActiveMQIllegalStateException if copies cannot take the places of messages in this queue now
     */
    static BacklogJob of(Queue queue, StorageManager storage) throws ActiveMQIllegalStateException {
        requireSuited(queue);
        QueueMessages messages = new QueueMessages(queue, storage);
        if (queue.isPaused() && messages.isPaging()) {
            throw new ActiveMQIllegalStateException(
                    "the queue is paused and its address pages: the broker reads no page of it; resume the queue");
        }
        return new BacklogJob(messages, storage.generateID());
    }

    /**
     * Checks that a queue is of a kind in which copies can take the places of messages. Its owner may change that at
     * any time.
     *
     * @throws ActiveMQIllegalStateException if it is of another kind
     */
    static void requireSuited(Queue queue) throws ActiveMQIllegalStateException {
        if (queue.isInternalQueue()) {
            throw new ActiveMQIllegalStateException(
                    "a queue of the broker itself, which needs its messages as they are");
        }
        if (queue.isLastValue() || queue.isNonDestructive() || queue.getRingSize() >= 0) {
            throw new ActiveMQIllegalStateException("a last-value, non-destructive or ring queue: a sealed copy could"
                    + " replace another message; send its messages again");
        }
        if (queue.isPurgeOnNoConsumers()) {
            throw new ActiveMQIllegalStateException("a queue with purge-on-no-consumers: without a consumer the broker"
                    + " takes no copy, and deletes messages that are given back; turn it off for this time");
        }
    }

    QueueMessages messages() {
        return messages;
    }

    /**
     * Returns the number of messages that the queue had at the beginning. After a restart the broker may count late.
     */
    long count() {
        return count;
    }

    /** Returns whether a message belongs to the job and has no judgement that stays. */
    boolean wants(long id) {
        return id <= last && !seen.contains(id);
    }

    /** Notes that a message stays as it is. */
    void leaves(long id) {
        if (seen.add(id)) {
            looked++;
        }
    }

    /** Prepares the queue for copies, once. Returns whether it did so now. */
    boolean begin() throws Exception {
        if (begun) {
            return false;
        }
        begun = true;
        messages.beginPage();
        return true;
    }

    /** Notes that messages were sealed. */
    void sealed(int number) {
        looked += number;
        sealed += number;
    }

    /** Returns the number of messages that were sealed. */
    long sealed() {
        return sealed;
    }

    /**
     * Returns the next wanted message that lies in memory or in a page, or is scheduled. Returns null at the end, and
     * if the time is over.
     *
     * @param end the time of {@link System#nanoTime} at which it looks at no further message
     */
    @Nullable
    MessageReference browse(long end) {
        browsed = false;
        if (browser == null && scheduled == null) {
            browser = messages.queue().browserIterator();
        }
        MessageReference next = nextWanted(browser, end);
        if (next == null && browser != null && System.nanoTime() < end) {
            browser.close();
            browser = null;
            scheduled = messages.queue().getScheduledMessages().iterator();
        }
        if (next == null) {
            next = nextWanted(scheduled, end);
        }
        if (next == null && System.nanoTime() < end) {
            scheduled = null;
            browsed = true;
        }
        return next;
    }

    private @Nullable MessageReference nextWanted(@Nullable Iterator<MessageReference> all, long end) {
        while (all != null && System.nanoTime() < end && all.hasNext()) {
            MessageReference next = all.next();
            if (wants(next.getMessageID())) {
                return next;
            }
        }
        return null;
    }

    /** Returns whether the next call of {@link #browse} goes on where the last one ended. */
    boolean isBrowsing() {
        return browser != null || scheduled != null;
    }

    /** Returns whether the last call of {@link #browse} came to the end. */
    boolean isBrowsed() {
        return browsed;
    }

    /** Begins to browse anew with the next call. */
    @Override
    public void close() {
        if (browser != null) {
            browser.close();
        }
        browser = null;
        scheduled = null;
    }

    /** Notes that the queue has no further message of the job, but those with consumers. */
    void end() {
        ended = true;
    }

    /** Returns the number of messages to look at, about; 0 only at the end. */
    long remaining() {
        return ended ? messages.queue().getDeliveringCount() : Math.max(1, count - looked);
    }
}
