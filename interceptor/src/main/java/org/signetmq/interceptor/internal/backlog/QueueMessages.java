/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;

/**
 * Takes messages out of a queue, as a consumer does, and gives them back to their places. It holds the lock of the
 * queue only while it looks for messages. The broker reads pages into the queue as usual.
 */
final class QueueMessages {
    private static final long PATIENCE_SECONDS = 5;

    private final Queue queue;
    private final StorageManager storage;

    QueueMessages(Queue queue, StorageManager storage) {
        this.queue = queue;
        this.storage = storage;
    }

    Queue queue() {
        return queue;
    }

    boolean isPaging() {
        PagingStore store = queue.getPagingStore();
        return store != null && store.isPaging();
    }

    /** Makes the broker read further pages, if the queue has room for them. */
    void readPages() {
        queue.forceDelivery();
    }

    /**
     * Makes the broker write further messages into a new page. It deletes a page when all messages of the page are
     * gone, so none with clear messages stays because of their sealed copies.
     */
    void beginPage() throws Exception {
        if (isPaging()) {
            queue.getPagingStore().forceAnotherPage(true);
        }
    }

    /** Waits until the queue shows all messages that the broker routed to it before. */
    void awaitRouted() throws InterruptedException {
        CountDownLatch shown = new CountDownLatch(1);
        queue.flushOnIntermediate(shown::countDown);
        boolean unused = shown.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Returns messages that the queue has in memory, in their order. It returns scheduled ones if there are no others.
     *
     * @param wanted selects messages by their identifiers
     */
    List<MessageReference> find(LongPredicate wanted, int most) {
        List<MessageReference> found = new ArrayList<>();
        synchronized (queue) {
            try (LinkedListIterator<MessageReference> all = queue.iterator()) {
                while (found.size() < most && all.hasNext()) {
                    MessageReference next = all.next();
                    if (wanted.test(next.getMessageID())) {
                        found.add(next);
                    }
                }
            }
        }
        if (found.isEmpty() && queue.getScheduledCount() > 0) {
            queue.getScheduledMessages().stream()
                    .filter(next -> wanted.test(next.getMessageID()))
                    .limit(most)
                    .forEach(found::add);
        }
        return found;
    }

    /** Takes those of these messages that are still in the queue. */
    List<TakenMessage> take(List<MessageReference> wanted) throws Exception {
        List<TakenMessage> taken = new ArrayList<>();
        try {
            synchronized (queue) {
                take(wanted, taken);
            }
        } catch (Throwable e) {
            giveBack(taken);
            throw e;
        }
        return taken;
    }

    private void take(List<MessageReference> wanted, List<TakenMessage> taken) throws Exception {
        IdentityHashMap<MessageReference, Long> due = new IdentityHashMap<>();
        for (MessageReference reference : wanted) {
            due.put(reference, unschedule(reference));
        }
        Set<MessageReference> present = present(due.keySet());
        for (MessageReference reference : wanted) {
            // the queue acknowledges a scheduled message that it removes, so it must be among the others
            MessageReference removed =
                    present.contains(reference) ? queue.removeReferenceWithID(reference.getMessageID()) : null;
            if (removed != null) {
                removed.handled();
                taken.add(new TakenMessage(removed, due.getOrDefault(removed, 0L)));
            }
        }
    }

    /** Moves a scheduled message to the others, and returns the time of its delivery; 0 if it is not scheduled. */
    private long unschedule(MessageReference reference) throws Exception {
        long due = reference.getScheduledDeliveryTime();
        if (due > 0) {
            Message message = reference.getMessage();
            Long before = message.getScheduledDeliveryTime();
            queue.deliverScheduledMessage(reference.getMessageID());
            if (!Objects.equals(before, message.getScheduledDeliveryTime())) {
                message.setScheduledDeliveryTime(before); // other queues may have the same message
            }
        }
        return due;
    }

    private Set<MessageReference> present(Set<MessageReference> wanted) {
        Set<MessageReference> present = Collections.newSetFromMap(new IdentityHashMap<>());
        try (LinkedListIterator<MessageReference> all = queue.iterator()) {
            while (present.size() < wanted.size() && all.hasNext()) {
                MessageReference next = all.next();
                if (wanted.contains(next)) {
                    present.add(next);
                }
            }
        }
        return present;
    }

    /** Gives messages back to their places in the queue, as if nothing had taken them. */
    void giveBack(List<TakenMessage> taken) throws Exception {
        if (!taken.isEmpty()) {
            giveBack(taken, List.of(), new TransactionImpl(storage));
        }
    }

    /**
     * Rolls a transaction back, and gives messages back to their places.
     *
     * @param taken messages that the transaction did not acknowledge, at least one
     * @param acknowledged messages that it acknowledged
     */
    void giveBack(List<TakenMessage> taken, List<TakenMessage> acknowledged, Transaction transaction) throws Exception {
        taken.forEach(QueueMessages::schedule);
        acknowledged.forEach(QueueMessages::schedule);
        for (TakenMessage each : taken) {
            queue.cancel(transaction, each.reference(), true); // true: neither a delay nor a count of this delivery
        }
        transaction.rollback();
    }

    private static void schedule(TakenMessage message) {
        if (message.due() > 0) {
            message.reference().setScheduledDeliveryTime(message.due());
        }
    }
}
