/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.gate.BacklogJudge;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Puts sealed copies of messages at the end of their queue, in place of the messages. Copies and acknowledgements of a
 * batch are one transaction.
 */
final class SealedCopies {
    private final ActiveMQServer server;
    private final BacklogJudge judge;
    private final QueueMessages messages;

    SealedCopies(ActiveMQServer server, BacklogJudge judge, QueueMessages messages) {
        this.server = server;
        this.judge = judge;
        this.messages = messages;
    }

    /**
     * The outcome of a batch.
     *
     * @param sealed the number of sealed messages
     * @param left the reasons of messages that stay in clear, by their identifiers
     */
    record Outcome(int sealed, Map<Long, Throwable> left) {}

    /**
     * Seals taken messages. Messages that cannot be sealed go back to their places. If the broker does not take a copy,
     * the whole batch goes back, and the outcome names that message alone.
     */
    Outcome seal(List<TakenMessage> batch) throws Exception {
        Transaction transaction = new TransactionImpl(server.getStorageManager());
        Map<Long, Throwable> left = new LinkedHashMap<>();
        List<TakenMessage> sealed = new ArrayList<>();
        List<TakenMessage> open = new ArrayList<>(batch);
        long current = 0;
        try {
            for (TakenMessage each : batch) {
                current = each.id();
                Message copy = sealedCopy(each, left);
                if (copy != null) {
                    route(copy, transaction);
                    messages.queue().acknowledge(transaction, each.reference());
                    open.remove(each);
                    sealed.add(each);
                }
            }
        } catch (Throwable e) {
            messages.giveBack(batch, transaction);
            return new Outcome(0, Map.of(current, e));
        }
        try {
            commit(transaction, sealed);
        } finally {
            messages.giveBack(open);
        }
        return new Outcome(sealed.size(), left);
    }

    /** Commits. After a failure the messages are in the queue again. */
    private void commit(Transaction transaction, List<TakenMessage> sealed) throws Exception {
        try {
            transaction.commit();
        } catch (Throwable e) {
            if (EnumSet.of(Transaction.State.ACTIVE, Transaction.State.ROLLBACK_ONLY)
                    .contains(transaction.getState())) {
                messages.giveBack(sealed, transaction);
            }
            throw e;
        }
    }

    /** Returns a sealed copy of a message; null if it cannot be sealed, with the reason in the map. */
    private @Nullable Message sealedCopy(TakenMessage taken, Map<Long, Throwable> left) {
        Message copy = null;
        try {
            copy = judge.sealedCopy(taken.message(), server.getStorageManager().generateID(), address());
            if (taken.due() > 0 && !Long.valueOf(taken.due()).equals(copy.getScheduledDeliveryTime())) {
                copy.setScheduledDeliveryTime(taken.due());
                copy.reencode();
            }
            return copy;
        } catch (Throwable e) {
            left.put(taken.id(), e);
            if (copy instanceof LargeServerMessage large) {
                delete(large);
            }
            return null;
        }
    }

    private static void delete(LargeServerMessage copy) {
        try {
            copy.deleteFile();
        } catch (Exception e) {
            PluginLog.LOG.warn("the file of a sealed copy could not be deleted; the next start deletes it", e);
        }
    }

    private SimpleString address() {
        return messages.queue().getAddress();
    }

    /**
     * Routes a copy to the queue alone.
     *
     * @throws ActiveMQIllegalStateException if the broker would drop the copy
     */
    private void route(Message copy, Transaction transaction) throws Exception {
        try {
            // a mirror adds the copy to this queue alone, too
            RoutingContext context =
                    new RoutingContextImpl(transaction).setMirrorOption(RoutingContext.MirrorOption.individualRoute);
            copy.clearAMQPProperties();
            copy.clearInternalProperties();
            Filter filter = messages.queue().getFilter();
            if (filter == null || filter.match(copy)) {
                messages.queue().route(copy, context);
            }
            if (context.getQueueCount() == 0) {
                throw new ActiveMQIllegalStateException(
                        "the queue does not take messages now: it is disabled, or its filter selects no sealed message");
            }
            server.getPostOffice().processRoute(copy, context, false);
            if (copy.getRefCount() == 0 && !copy.isPaged()) {
                throw new ActiveMQIllegalStateException("the broker dropped the copy, because the address is full");
            }
        } catch (Throwable e) {
            if (copy instanceof LargeServerMessage large && copy.getRefCount() == 0) {
                large.deleteFile();
            }
            throw e;
        }
    }
}
