/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.transaction.xa.Xid;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.BindingType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.TransactionOperation;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.protect.AddressRules;

/**
 * Reads the messages of all queues of a broker in steps, and counts them by the keys that they need. Dead letters and
 * expired messages come last, because messages move there. For one thread at a time.
 */
final class KeyUseQuery implements AutoCloseable {
    /** The greatest number of messages that a query reads. */
    private static final int MOST_MESSAGES = 10_000_000;

    /** The greatest number of messages in prepared transactions. */
    private static final int MOST_PREPARED = 100_000;

    /** The greatest number of messages of a queue that are remembered, so that none counts twice. */
    private static final int MOST_REMEMBERED = 100_000;

    /** The longest time that a query takes of the broker. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(15);

    private static final long LONG_STEP = TimeUnit.SECONDS.toNanos(2);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private final ActiveMQServer server;
    private final Limits limits;
    private final KeyTable table;
    private final Deque<Queue> waiting = new ArrayDeque<>();
    private final Set<Long> known = new HashSet<>();
    private final Map<Long, List<MessageReference>> prepared = new HashMap<>(); // by the identifier of the queue
    private final Set<String> reached = new LinkedHashSet<>();
    private @Nullable Scan current;
    private long read;
    private int ended;
    private long worked;
    private boolean listedAgain;

    /** The limits of a query: of its messages, its time and the time of one step in nanoseconds. */
    record Limits(long messages, long time, long step) {
        static final Limits DEFAULT = new Limits(MOST_MESSAGES, LONGEST, LONG_STEP);
    }

    KeyUseQuery(ActiveMQServer server, Set<String> wanted, Limits limits) {
        this.server = server;
        this.limits = limits;
        this.table = new KeyTable(wanted);
        addPrepared();
        addQueues();
    }

    private void addQueues() {
        List<Queue> found = new ArrayList<>();
        Set<SimpleString> ends = new HashSet<>();
        server.getPostOffice().getAllBindings().forEach(binding -> add(binding, found, ends));
        found.stream().filter(queue -> !ends.contains(queue.getAddress())).forEach(waiting::add);
        found.stream().filter(queue -> ends.contains(queue.getAddress())).forEach(waiting::add);
    }

    private void add(Binding binding, List<Queue> found, Set<SimpleString> ends) {
        if (binding.getType() == BindingType.LOCAL_QUEUE
                && binding.getBindable() instanceof Queue queue
                && !AddressRules.isPolicies(queue.getAddress()) // which no key seals
                && known.add(queue.getID())) {
            found.add(queue);
            AddressSettings settings = server.getAddressSettingsRepository()
                    .getMatch(queue.getAddress().toString());
            ends.add(settings.getDeadLetterAddress());
            ends.add(settings.getExpiryAddress());
        }
    }

    /** Messages of prepared transactions return to their queues, or come there, when the transactions end. */
    private void addPrepared() {
        int number = 0;
        for (Xid xid : server.getResourceManager().getPreparedTransactions()) {
            for (MessageReference reference :
                    messages(server.getResourceManager().getTransaction(xid))) {
                if (++number > MOST_PREPARED) {
                    reached.add("a query reads " + MOST_PREPARED + " messages of prepared transactions at most");
                    return;
                }
                prepared.computeIfAbsent(reference.getQueue().getID(), unused -> new ArrayList<>())
                        .add(reference);
            }
        }
    }

    /** Returns the messages that a transaction sends and receives; none if it has ended. */
    private static List<MessageReference> messages(@Nullable Transaction transaction) {
        return transaction == null
                ? List.of()
                : transaction.getAllOperations().stream()
                        .map(TransactionOperation::getRelatedMessageReferences)
                        .filter(Objects::nonNull)
                        .flatMap(List::stream)
                        .filter(reference -> reference.getQueue() != null)
                        .toList();
    }

    /**
     * Reads the messages of one queue. First come those with consumers, in transactions and scheduled, then those in
     * memory and in pages. Then come the first ones again, because messages move meanwhile.
     */
    private final class Scan {
        private final Queue queue;
        private final KeyTable.Numbers numbers = new KeyTable.Numbers();
        private final Set<Long> seen = new HashSet<>();
        private final long before;
        private final long goneBefore;
        private final QueueWalk walk;
        private boolean begun;

        private Scan(Queue queue) {
            this.queue = queue;
            this.goneBefore = gone();
            this.before = queue.getMessageCount();
            this.walk = new QueueWalk(List.of(
                    this::aside,
                    queue::browserIterator,
                    () -> seen.size() < MOST_REMEMBERED
                            ? aside()
                            : List.<MessageReference>of().iterator()));
        }

        private Iterator<MessageReference> aside() {
            return Stream.of(
                            prepared.getOrDefault(queue.getID(), List.of()).stream(),
                            queue.getDeliveringMessages().values().stream().flatMap(List::stream),
                            queue.getScheduledCount() > 0
                                    ? queue.getScheduledMessages().stream()
                                    : Stream.<MessageReference>of())
                    .flatMap(references -> references)
                    .toList()
                    .iterator();
        }

        /** Reads the next message if there is one, and returns whether it did. */
        private boolean next() throws InterruptedException {
            try {
                if (!begun && before > 0) {
                    QueueWalk.awaitRouted(queue);
                }
                begun = true;
                for (MessageReference next = walk.next(); next != null; next = walk.next()) {
                    if (isNew(next.getMessageID())) {
                        table.add(queue, numbers, StoredParties.of(next));
                        return true;
                    }
                }
                awaitAcknowledged();
                end(hidden());
            } catch (RuntimeException e) {
                // the queue may be deleted meanwhile, and its messages with it
                PluginLog.LOG.debug("queue {}: could not be browsed", queue.getName(), e);
                end(queue.getMessageCount() - numbers.looked());
            }
            return false;
        }

        private boolean isNew(long id) {
            return seen.size() < MOST_REMEMBERED ? seen.add(id) : !seen.contains(id);
        }

        /** Returns the number of messages that the queue had all the time and did not show. */
        private long hidden() {
            return Math.min(before - (gone() - goneBefore), queue.getMessageCount()) - numbers.looked();
        }

        /** Waits a moment for messages that consumers have acknowledged, and that the queue still counts. */
        private void awaitAcknowledged() {
            long end = System.nanoTime() + PATIENCE;
            while (hidden() > 0 && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(PAUSE);
            }
        }

        private long gone() {
            return queue.getMessagesAcknowledged()
                    + queue.getMessagesExpired()
                    + queue.getMessagesKilled()
                    + queue.getMessagesReplaced();
        }

        /** Ends the scan before its last message. */
        private void leave() {
            end(Math.max(1, Math.max(before, queue.getMessageCount()) - numbers.looked()));
        }

        private void end(long notLookedAt) {
            walk.close();
            table.end(queue, numbers, notLookedAt);
        }
    }

    /** Reads on for a limited time, and returns whether the query has ended. */
    boolean step() throws InterruptedException {
        long begun = System.nanoTime();
        long end = begun + Math.min(limits.step(), limits.time() - worked);
        while (System.nanoTime() - end < 0 && read < limits.messages()) {
            Scan scan = current == null ? begin() : current;
            if (scan == null) {
                return true;
            }
            current = scan;
            if (scan.next()) {
                read++;
            } else {
                current = null;
                ended++;
            }
        }
        worked += System.nanoTime() - begun;
        if (read >= limits.messages() || worked >= limits.time()) {
            leaveRest();
            return true;
        }
        return false;
    }

    /** Begins with the next queue; null if there is none. The broker may have made some meanwhile. */
    private @Nullable Scan begin() {
        if (waiting.isEmpty() && !listedAgain) {
            listedAgain = true;
            addQueues();
        }
        Queue next = waiting.poll();
        return next == null ? null : new Scan(next);
    }

    private void leaveRest() {
        reached.add(
                read >= limits.messages()
                        ? "a query reads " + limits.messages() + " messages at most"
                        : "a query takes " + TimeUnit.NANOSECONDS.toMinutes(limits.time()) + " minutes at most");
        if (current != null) {
            current.leave();
            current = null;
        }
        waiting.stream().filter(queue -> queue.getMessageCount() > 0).forEach(queue -> new Scan(queue).leave());
        waiting.clear();
    }

    /** Writes how far it is. */
    ObjectNode writeProgress(ObjectNode answer) {
        return answer.put("queues", (long) ended + waiting.size() + (current == null ? 0 : 1))
                .put("queues-done", (long) ended)
                .put("messages", read);
    }

    /** Returns the numbers as JSON. */
    String answer() {
        ObjectNode answer = table.answer().put("time", Instant.now().toEpochMilli());
        ArrayNode texts = answer.putArray("limits");
        reached.forEach(texts::add);
        return answer.toString();
    }

    @Override
    public void close() {
        if (current != null) {
            current.walk.close();
        }
    }
}
