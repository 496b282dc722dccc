/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.impl.RefsOperation;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.TransactionPropertyIndexes;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.gate.BacklogJudge;
import org.signetmq.interceptor.internal.reject.Rejections;

/**
 * Takes messages out of a queue, as a consumer does, and puts sealed copies at its end in their place. It gives others
 * back to their places. It holds the lock of the queue only while it looks for messages. The broker reads pages into
 * the queue as usual.
 */
record QueueMessages(ActiveMQServer server, Queue queue, BacklogJudge judge) {
    /**
     * A message that the plugin took out of its queue. The broker counts it as being delivered.
     *
     * @param due the time before which the broker must not deliver it, in milliseconds; 0 if there is none
     */
    private record Taken(MessageReference reference, long due) {}

    /**
     * The outcome of a batch.
     *
     * @param sealed the number of sealed messages
     * @param left the reasons of messages that stay in clear, by their identifiers
     */
    record Outcome(int sealed, Map<Long, Throwable> left) {}

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
    private List<Taken> take(List<MessageReference> wanted) throws Exception {
        IdentityHashMap<MessageReference, Long> due = new IdentityHashMap<>();
        List<Taken> taken = new ArrayList<>();
        try {
            synchronized (queue) {
                try {
                    for (MessageReference reference : wanted) {
                        due.put(reference, reference.getScheduledDeliveryTime());
                        unschedule(reference);
                    }
                    takePresent(due, wanted, taken);
                } catch (Throwable e) {
                    takePresent(due, wanted, taken); // no other thread may deliver them before their time
                    throw e;
                }
            }
        } catch (Throwable e) {
            giveBack(taken);
            throw e;
        }
        return taken;
    }

    /**
     * Takes those of the wanted messages that are among the unscheduled ones. The queue acknowledges a scheduled
     * message that it removes, so it removes no such message.
     */
    private void takePresent(Map<MessageReference, Long> due, List<MessageReference> wanted, List<Taken> taken)
            throws Exception {
        Set<MessageReference> present = Collections.newSetFromMap(new IdentityHashMap<>());
        try (LinkedListIterator<MessageReference> all = queue.iterator()) {
            while (present.size() < due.size() && all.hasNext()) {
                MessageReference next = all.next();
                if (due.containsKey(next)) {
                    present.add(next);
                }
            }
        }
        for (MessageReference reference : wanted) {
            MessageReference removed =
                    present.contains(reference) ? queue.removeReferenceWithID(reference.getMessageID()) : null;
            if (removed != null) {
                removed.handled();
                taken.add(new Taken(removed, due.getOrDefault(removed, 0L)));
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

    /** Gives messages back to their places in the queue, as if nothing had taken them. */
    private void giveBack(List<Taken> taken) throws Exception {
        if (!taken.isEmpty()) {
            giveBack(taken, new TransactionImpl(server.getStorageManager()));
        }
    }

    /**
     * Rolls a transaction back, and gives messages back to their places. The transaction may have acknowledged some. An
     * acknowledgement that fails may have been noted before, or not.
     */
    private void giveBack(List<Taken> taken, Transaction transaction) throws Exception {
        taken.stream()
                .filter(each -> each.due() > 0)
                .forEach(each -> each.reference().setScheduledDeliveryTime(each.due()));
        Set<MessageReference> acknowledged = Collections.newSetFromMap(new IdentityHashMap<>());
        refs(transaction).ifPresent(refs -> acknowledged.addAll(refs.getReferencesToAcknowledge()));
        for (Taken each : taken) {
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

    /**
     * Seals those of these messages that are still in the queue. Copies and acknowledgements are one transaction.
     * Messages that cannot be sealed go back to their places. If the broker does not take a copy, the whole batch goes
     * back, and the outcome names that message alone.
     */
    Outcome seal(List<MessageReference> wanted) throws Exception {
        return replace(
                wanted,
                message -> judge.sealedCopy(message, server.getStorageManager().generateID(), queue.getAddress()),
                queue);
    }

    /** Makes the copy of a message that takes its place. Throws if the message must stay. */
    @FunctionalInterface
    interface Copying {
        Message of(Message message) throws Exception;
    }

    /**
     * Puts copies of those of these messages that are still in the queue into a queue, as {@link #seal}.
     *
     * @param target the queue of the copies, perhaps another one
     */
    Outcome replace(List<MessageReference> wanted, Copying copying, Queue target) throws Exception {
        List<Taken> batch = take(wanted);
        Transaction transaction = new TransactionImpl(server.getStorageManager());
        Map<Long, Throwable> left = new LinkedHashMap<>();
        List<Taken> sealed = new ArrayList<>();
        List<Taken> open = new ArrayList<>(batch);
        long current = 0;
        try {
            for (Taken each : batch) {
                current = each.reference().getMessageID();
                Message copy = copy(each, copying, left);
                if (copy != null) {
                    route(copy, target, transaction);
                    queue.acknowledge(transaction, each.reference());
                    open.remove(each);
                    sealed.add(each);
                }
            }
        } catch (Throwable e) {
            giveBack(batch, transaction);
            return new Outcome(0, Map.of(current, e));
        }
        try {
            commit(transaction, sealed);
        } finally {
            giveBack(open);
        }
        return new Outcome(sealed.size(), left);
    }

    /** Commits. After a failure the messages are in the queue again. */
    private void commit(Transaction transaction, List<Taken> sealed) throws Exception {
        try {
            transaction.commit();
        } catch (Throwable e) {
            if (EnumSet.of(Transaction.State.ACTIVE, Transaction.State.ROLLBACK_ONLY)
                    .contains(transaction.getState())) {
                giveBack(sealed, transaction);
            }
            throw e;
        }
    }

    /** Returns the copy of a message; null if there can be none, with the reason in the map. */
    private static @Nullable Message copy(Taken taken, Copying copying, Map<Long, Throwable> left) {
        Message copy = null;
        try {
            copy = copying.of(taken.reference().getMessage());
            if (taken.due() > 0 && !Long.valueOf(taken.due()).equals(copy.getScheduledDeliveryTime())) {
                copy.setScheduledDeliveryTime(taken.due());
                copy.reencode();
            }
            return copy;
        } catch (Throwable e) {
            left.put(taken.reference().getMessageID(), e);
            if (copy != null) {
                Rejections.deleteFile(copy);
            }
            return null;
        }
    }

    /**
     * Routes a copy to one queue alone.
     *
     * @throws ActiveMQIllegalStateException if the broker would drop the copy
     */
    private void route(Message copy, Queue target, Transaction transaction) throws Exception {
        try {
            // a mirror adds the copy to this queue alone, too
            RoutingContext context =
                    new RoutingContextImpl(transaction).setMirrorOption(RoutingContext.MirrorOption.individualRoute);
            copy.clearAMQPProperties();
            copy.clearInternalProperties();
            Filter filter = target.getFilter();
            if (filter == null || filter.match(copy)) {
                target.route(copy, context);
            }
            if (context.getQueueCount() == 0) {
                throw new ActiveMQIllegalStateException(
                        "the queue does not take messages now: it is disabled, or its filter does not select the message");
            }
            server.getPostOffice().processRoute(copy, context, false);
            if (copy.getRefCount() == 0 && !copy.isPaged()) {
                throw new ActiveMQIllegalStateException("the broker dropped the copy, because the address is full");
            }
        } catch (Throwable e) {
            if (copy.getRefCount() == 0) {
                Rejections.deleteFile(copy);
            }
            throw e;
        }
    }
}
