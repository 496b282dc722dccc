/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of a queue, part by part. A part is opened when the walk comes to it. A browser of the queue locks
 * it for one message at a time, and the queue delivers meanwhile. For one thread at a time.
 */
final class QueueWalk implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 5;

    private final Deque<Supplier<? extends Iterator<MessageReference>>> parts;
    private @Nullable Iterator<MessageReference> current;

    QueueWalk(List<Supplier<? extends Iterator<MessageReference>>> parts) {
        this.parts = new ArrayDeque<>(parts);
    }

    /** Returns a walk over the messages in memory and in pages, and then over scheduled ones. */
    static QueueWalk of(Queue queue) {
        return new QueueWalk(List.of(
                queue::browserIterator, () -> queue.getScheduledMessages().iterator()));
    }

    /** Waits a moment until the queue shows all messages that the broker routed to it before. */
    static void awaitRouted(Queue queue) throws InterruptedException {
        CountDownLatch shown = new CountDownLatch(1);
        queue.flushOnIntermediate(shown::countDown);
        boolean unused = shown.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the next message; null at the end. */
    @Nullable
    MessageReference next() {
        while (current == null || !current.hasNext()) {
            endPart();
            if (parts.isEmpty()) {
                return null;
            }
            current = parts.remove().get();
        }
        return current.next();
    }

    private void endPart() {
        if (current instanceof LinkedListIterator<?> browser) {
            browser.close();
        }
        current = null;
    }

    @Override
    public void close() {
        endPart();
        parts.clear();
    }
}
