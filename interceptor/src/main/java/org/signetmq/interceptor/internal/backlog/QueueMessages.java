/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.RefsOperation;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.TransactionPropertyIndexes;
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
                IdentityHashMap<MessageReference, Long> due = new IdentityHashMap<>();
                try {
                    take(wanted, due, taken);
                } catch (Throwable e) {
                    takeUnscheduled(due, taken); // no other thread may deliver them before their time
                    throw e;
                }
            }
        } catch (Throwable e) {
            giveBack(taken);
            throw e;
        }
        return taken;
    }

    private void take(List<MessageReference> wanted, Map<MessageReference, Long> due, List<TakenMessage> taken)
            throws Exception {
        for (MessageReference reference : wanted) {
            due.put(reference, reference.getScheduledDeliveryTime());
            unschedule(reference);
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

    /** Takes the messages that had a time, and are among the others without it now. */
    private void takeUnscheduled(Map<MessageReference, Long> due, List<TakenMessage> taken) throws Exception {
        Set<MessageReference> before = Collections.newSetFromMap(new IdentityHashMap<>());
        taken.forEach(each -> before.add(each.reference()));
        for (MessageReference reference : present(due.keySet())) {
            long time = due.getOrDefault(reference, 0L);
            if (time > 0 && !before.contains(reference)) {
                MessageReference removed = queue.removeReferenceWithID(reference.getMessageID());
                if (removed != null) {
                    removed.handled();
                    taken.add(new TakenMessage(removed, time));
                }
            }
        }
    }

    /** Moves a scheduled message to the others. */
    private void unschedule(MessageReference reference) throws Exception {
        if (reference.getScheduledDeliveryTime() > 0) {
            Message message = reference.getMessage();
            Long before = message.getScheduledDeliveryTime();
            queue.deliverScheduledMessage(reference.getMessageID());
            if (!Objects.equals(before, message.getScheduledDeliveryTime())) {
                message.setScheduledDeliveryTime(before); // other queues may have the same message
            }
        }
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
            giveBack(taken, new TransactionImpl(storage));
        }
    }

    /**
     * Rolls a transaction back, and gives messages back to their places. The transaction may have acknowledged some. An
     * acknowledgement that fails may have been noted before, or not.
     */
    void giveBack(List<TakenMessage> taken, Transaction transaction) throws Exception {
        taken.forEach(QueueMessages::schedule);
        Set<MessageReference> acknowledged = Collections.newSetFromMap(new IdentityHashMap<>());
        refs(transaction).ifPresent(refs -> acknowledged.addAll(refs.getReferencesToAcknowledge()));
        for (TakenMessage each : taken) {
            if (!acknowledged.contains(each.reference())) {
                queue.cancel(transaction, each.reference(), true);
            }
        }
        refs(transaction).ifPresent(RefsOperation::setIgnoreRedeliveryCheck); // neither a delay nor a count
        transaction.rollback();
    }

    private static Optional<RefsOperation> refs(Transaction transaction) {
        return Optional.ofNullable((RefsOperation) transaction.getProperty(TransactionPropertyIndexes.REFS_OPERATION));
    }

    private static void schedule(TakenMessage message) {
        if (message.due() > 0) {
            message.reference().setScheduledDeliveryTime(message.due());
        }
    }
}
