/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.keys;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
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

/**
 * Reads the messages of all queues of a broker in steps, and counts them by the keys that they need. Dead letters and
 * expired messages come last, because messages move there. For one thread at a time.
 */
final class KeyUseQuery implements AutoCloseable {
    /** The greatest number of messages that a query reads. */
    static final int MOST_MESSAGES = 10_000_000;

    /** The greatest number of messages in prepared transactions. */
    private static final int MOST_PREPARED = 100_000;

    /** The longest time that a query takes of the broker. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(15);

    private static final long LONG_STEP = TimeUnit.SECONDS.toNanos(2);

    private final ActiveMQServer server;
    private final Limits limits;
    private final KeyTable table;
    private final Deque<Queue> waiting = new ArrayDeque<>();
    private final Set<Long> known = new HashSet<>();
    private final Map<Long, List<MessageReference>> prepared = new HashMap<>(); // by the identifier of the queue
    private final Set<String> reached = new LinkedHashSet<>();
    private @Nullable QueueScan current;
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

    /** Reads on for a limited time, and returns whether the query has ended. */
    boolean step() throws InterruptedException {
        long begun = System.nanoTime();
        long end = begun + Math.min(limits.step(), limits.time() - worked);
        while (System.nanoTime() - end < 0 && read < limits.messages()) {
            if (current == null && !begin()) {
                return true;
            }
            QueueScan scan = current;
            if (scan != null && scan.next()) {
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

    /** Begins with the next queue, and returns whether there is one. The broker may have made some meanwhile. */
    private boolean begin() {
        if (waiting.isEmpty() && !listedAgain) {
            listedAgain = true;
            addQueues();
        }
        Queue next = waiting.poll();
        if (next == null) {
            return false;
        }
        current = new QueueScan(next, prepared.getOrDefault(next.getID(), List.of()), table);
        return true;
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
        for (Queue queue : waiting) {
            if (queue.getMessageCount() > 0) {
                new QueueScan(queue, List.of(), table).leave();
            }
        }
        waiting.clear();
    }

    /** Tells how far it is. */
    void progress(BiConsumer<String, Long> told) {
        told.accept("queues", (long) ended + waiting.size() + (current == null ? 0 : 1));
        told.accept("queues-done", (long) ended);
        told.accept("messages", read);
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
            current.close();
        }
    }
}
