/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.keys;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Reads the messages of one queue. First come those with consumers, in transactions and scheduled, then those in memory
 * and in pages. Then come the first ones again, because messages move meanwhile. The queue is locked for one message at
 * a time, and delivers meanwhile. For one thread at a time.
 */
final class QueueScan implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    /** The greatest number of messages outside of the order that are remembered. */
    private static final int MOST_REMEMBERED = 100_000;

    private final Queue queue;
    private final KeyTable table;
    private final QueueCount count;
    private final List<MessageReference> prepared;
    private final Set<Long> seen = new HashSet<>();
    private final long before;
    private final long goneBefore;
    private Part part = Part.BEGINNING;
    private @Nullable Iterator<MessageReference> aside;
    private @Nullable LinkedListIterator<MessageReference> browser;

    private enum Part {
        BEGINNING,
        ASIDE,
        IN_ORDER,
        ASIDE_AGAIN,
        ENDED;

        private Part next() {
            return switch (this) {
                case BEGINNING -> ASIDE;
                case ASIDE -> IN_ORDER;
                case IN_ORDER -> ASIDE_AGAIN;
                case ASIDE_AGAIN, ENDED -> ENDED;
            };
        }
    }

    /**
     * Makes a scan, which reads nothing yet.
     *
     * @param prepared messages of the queue in prepared transactions
     */
    QueueScan(Queue queue, List<MessageReference> prepared, KeyTable table) {
        this.queue = queue;
        this.table = table;
        this.count = new QueueCount(queue);
        this.prepared = prepared;
        this.goneBefore = gone();
        this.before = queue.getMessageCount();
    }

    /** Reads the next message if there is one, and returns whether it did. */
    boolean next() throws InterruptedException {
        try {
            while (part != Part.ENDED) {
                MessageReference found = found();
                if (found != null) {
                    table.add(count, StoredParties.of(found));
                    return true;
                }
                part = part.next();
            }
            awaitAcknowledged();
            end(hidden() + count.looked());
        } catch (RuntimeException e) {
            // the queue may be deleted meanwhile, and its messages with it
            PluginLog.LOG.debug("queue {}: could not be browsed", queue.getName(), e);
            part = Part.ENDED;
            end(queue.getMessageCount());
        }
        return false;
    }

    /** Returns the number of messages that the queue had all the time and did not show. */
    private long hidden() {
        return Math.min(before - (gone() - goneBefore), queue.getMessageCount()) - count.looked();
    }

    /** Waits a moment for messages that consumers have acknowledged, and that the queue still counts. */
    private void awaitAcknowledged() {
        long end = System.nanoTime() + PATIENCE;
        while (hidden() > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(PAUSE);
        }
    }

    /** Ends the scan before its last message. */
    void leave() {
        end(Math.max(1, Math.max(before, queue.getMessageCount()) - count.looked()) + count.looked());
    }

    private void end(long messages) {
        close();
        count.leave(messages - count.looked());
        table.end(count);
    }

    private @Nullable MessageReference found() throws InterruptedException {
        return switch (part) {
            case BEGINNING -> {
                if (before > 0) {
                    awaitRouted();
                }
                yield null;
            }
            case ASIDE -> fromAside();
            case IN_ORDER -> inOrder();
            case ASIDE_AGAIN -> seen.size() < MOST_REMEMBERED ? fromAside() : null;
            case ENDED -> null;
        };
    }

    /** Waits until the queue shows all messages that the broker routed to it before. */
    private void awaitRouted() throws InterruptedException {
        CountDownLatch shown = new CountDownLatch(1);
        queue.flushOnIntermediate(shown::countDown);
        boolean unused = shown.await(PATIENCE, TimeUnit.NANOSECONDS);
    }

    private @Nullable MessageReference fromAside() {
        if (aside == null) {
            aside = aside().iterator();
        }
        while (aside.hasNext()) {
            MessageReference next = aside.next();
            if (seen.size() >= MOST_REMEMBERED || seen.add(next.getMessageID())) {
                return next;
            }
        }
        aside = null;
        return null;
    }

    private List<MessageReference> aside() {
        List<MessageReference> found = new ArrayList<>(prepared);
        queue.getDeliveringMessages().values().forEach(found::addAll);
        if (queue.getScheduledCount() > 0) {
            found.addAll(queue.getScheduledMessages());
        }
        return found;
    }

    private @Nullable MessageReference inOrder() {
        if (browser == null) {
            browser = queue.browserIterator();
        }
        while (browser.hasNext()) {
            MessageReference next = browser.next();
            if (!seen.contains(next.getMessageID())) { // pages show messages that consumers have
                return next;
            }
        }
        browser.close();
        browser = null;
        return null;
    }

    private long gone() {
        return queue.getMessagesAcknowledged()
                + queue.getMessagesExpired()
                + queue.getMessagesKilled()
                + queue.getMessagesReplaced();
    }

    @Override
    public void close() {
        if (browser != null) {
            browser.close();
            browser = null;
        }
        part = Part.ENDED;
    }
}
