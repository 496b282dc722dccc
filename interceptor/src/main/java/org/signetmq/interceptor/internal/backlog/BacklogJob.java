/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.gate.BacklogJudge;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.PrintableText;

/**
 * The messages that lay in a queue at one moment, which are looked at in steps. Their identifiers are not above the
 * last one that the broker had given then. Later messages are sealed anyway, and the sealed copies are later messages
 * too. Not thread-safe.
 */
final class BacklogJob implements AutoCloseable {
    /** The greatest number of messages in a transaction. */
    private static final int MOST_IN_BATCH = 100;

    /** The length of the messages in memory at which a transaction takes no further message, in bytes. */
    private static final long LONG_BATCH = 4 << 20;

    /** The greatest number of messages that an answer names. */
    private static final int MOST_NAMED = 100;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private final QueueMessages messages;
    private final BacklogJudge judge;
    private final long last;
    private final long count;
    private final MessageIds seen = new MessageIds();
    private @Nullable QueueWalk walk;
    private long looked;
    private long sealed;
    private boolean begun;
    private boolean ended;

    private BacklogJob(QueueMessages messages, long last) {
        this.messages = messages;
        this.judge = messages.judge();
        this.last = last;
        this.count = messages.queue().getMessageCount();
    }

    /**
     * Makes a job for the messages of a queue, also scheduled ones.
     *
     * @throws ActiveMQIllegalStateException if copies cannot take the places of messages in this queue now
     */
    static BacklogJob of(QueueMessages messages) throws ActiveMQIllegalStateException {
        requireSuited(messages.queue());
        if (messages.queue().isPaused() && messages.isPaging()) {
            throw new ActiveMQIllegalStateException(
                    "the queue is paused and its address pages: the broker reads no page of it; resume the queue");
        }
        return new BacklogJob(messages, messages.server().getStorageManager().generateID());
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

    Queue queue() {
        return messages.queue();
    }

    /**
     * Returns the number of messages that the queue had at the beginning. After a restart the broker may count late.
     */
    long count() {
        return count;
    }

    /** Returns the number of messages that were sealed. */
    long sealed() {
        return sealed;
    }

    /** Returns the number of messages to look at, about; 0 only at the end. */
    long remaining() {
        return ended ? queue().getDeliveringCount() : Math.max(1, count - looked);
    }

    /** Prepares the queue for copies, once. Returns whether it did so now. */
    boolean begin() throws Exception {
        boolean first = !begun;
        begun = true;
        if (first) {
            messages.beginPage();
        }
        return first;
    }

    /** Returns whether a message belongs to the job and has no judgement that stays. */
    private boolean wants(long id) {
        return id <= last && !seen.contains(id);
    }

    /** Notes that a message stays as it is. */
    private void leaves(long id) {
        if (seen.add(id)) {
            looked++;
        }
    }

    /** Begins to browse anew with the next step. */
    @Override
    public void close() {
        if (walk != null) {
            walk.close();
            walk = null;
        }
    }

    /**
     * Makes a step.
     *
     * @param most the greatest number of messages to look at
     * @param end the time of {@link System#nanoTime} at which the step begins nothing new
     */
    Step step(int most, long end) {
        return new Step(most, end);
    }

    /** A limited number of messages of the job, which are looked at one after the other. For one thread. */
    final class Step {
        private final int most;
        private final long end;
        private final Map<Long, String> left = new LinkedHashMap<>();
        private int sealed;
        private int sealedBefore;
        private boolean hidden;
        private boolean browsing;

        private Step(int most, long end) {
            this.most = most;
            this.end = end;
        }

        private boolean goesOn() {
            return lookedAt() < most && System.nanoTime() < end;
        }

        private int lookedAt() {
            return sealed + sealedBefore + left.size();
        }

        /** Seals messages that the broker has in memory, and waits for those that it reads from pages. */
        void seal() throws Exception {
            List<MessageReference> found = awaitMessages();
            while (!found.isEmpty() && goesOn()) {
                List<MessageReference> batch = clearBatch(found);
                if (!batch.isEmpty()) {
                    close(); // what was browsed may be elsewhere now
                    QueueMessages.Outcome outcome = messages.seal(batch);
                    sealed += outcome.sealed();
                    BacklogJob.this.sealed += outcome.sealed();
                    looked += outcome.sealed();
                    outcome.left().forEach(this::leave);
                    messages.readPages();
                }
                found = goesOn() ? awaitMessages() : List.of();
            }
            if (found.isEmpty() && goesOn()) {
                lookBehind();
            }
        }

        /**
         * Waits a moment for messages, because the broker routes them and reads pages on threads of its own. A step
         * that goes on browsing does not wait for pages: sealed messages fill the memory then, so the broker reads
         * none.
         */
        private List<MessageReference> awaitMessages() throws InterruptedException {
            long patience = walk != null ? System.nanoTime() : Math.min(end, System.nanoTime() + PATIENCE);
            int number = Math.min(MOST_IN_BATCH, most - lookedAt());
            List<MessageReference> found = messages.find(BacklogJob.this::wants, number);
            if (found.isEmpty()) {
                QueueWalk.awaitRouted(queue());
                found = messages.find(BacklogJob.this::wants, number);
            }
            while (found.isEmpty() && messages.isPaging() && System.nanoTime() < patience) {
                messages.readPages();
                LockSupport.parkNanos(PAUSE);
                found = messages.find(BacklogJob.this::wants, number);
            }
            return found;
        }

        /**
         * Returns the first messages that are in clear and are not too long together. Notes those that need no seal.
         */
        private List<MessageReference> clearBatch(List<MessageReference> found) {
            List<MessageReference> batch = new ArrayList<>();
            long bytes = 0;
            for (MessageReference reference : found) {
                if (isClear(reference)) {
                    batch.add(reference);
                    bytes += reference.getMessage().isLargeMessage()
                            ? LONG_BATCH
                            : reference.getMessage().getEncodeSize();
                    if (bytes >= LONG_BATCH) {
                        break;
                    }
                }
            }
            return batch;
        }

        private boolean isClear(MessageReference reference) {
            return judge(reference, message -> judge.isClear(message, queue().getAddress()));
        }

        private interface Judgement {
            boolean of(Message message) throws Exception;
        }

        /**
         * Returns a judgement about a message. If it is negative, the message stays as it is, and the step counts it.
         */
        private boolean judge(MessageReference reference, Judgement judgement) {
            try {
                if (judgement.of(reference.getMessage())) {
                    return true;
                }
                sealedBefore++;
                leaves(reference.getMessageID());
            } catch (Throwable e) {
                leave(reference.getMessageID(), e);
            }
            return false;
        }

        private void leave(long id, Throwable cause) {
            left.put(
                    id,
                    cause instanceof MessageRejectedException || cause instanceof ActiveMQIllegalStateException
                            ? String.valueOf(cause.getMessage())
                            : "internal error " + cause.getClass().getName()); // its text may contain secrets
            leaves(id);
        }

        /**
         * Looks for messages in clear that the queue does not show: consumers have them, or they lie in pages behind
         * messages that the broker has in memory. Without one the job ends.
         */
        private void lookBehind() {
            for (MessageReference next = browse(); next != null; next = browse()) {
                if (isClear(next)) {
                    hidden = true;
                    close();
                    return;
                }
            }
        }

        /**
         * Returns the next wanted message that lies in memory or in a page, or is scheduled; null at the end of the
         * step or of the job.
         */
        private @Nullable MessageReference browse() {
            browsing = true;
            while (goesOn()) {
                if (walk == null) {
                    walk = QueueWalk.of(queue());
                }
                MessageReference next = walk.next();
                if (next == null) {
                    close();
                    browsing = false;
                    ended = true;
                    return null;
                }
                if (wants(next.getMessageID())) {
                    browsing = false;
                    return next;
                }
            }
            return null;
        }

        /** Judges messages, and changes nothing. */
        void judge() {
            for (MessageReference next = browse(); next != null; next = browse()) {
                if (judge(next, message -> judge.isSealable(message, queue().getAddress()))) {
                    sealed++;
                    leaves(next.getMessageID());
                }
            }
        }

        /**
         * Writes the numbers of the step: of messages that were sealed or can be, that needed no seal, and that stay in
         * clear, with reasons. A further step continues one that is still browsing. Hidden messages are in clear, and
         * the queue does not show them now.
         */
        ObjectNode writeTo(ObjectNode answer) {
            answer.put("sealed", sealed)
                    .put("sealed-before", sealedBefore)
                    .put("remaining", remaining())
                    .put("browsing", browsing)
                    .put("hidden", hidden)
                    .put("left", left.size());
            ArrayNode named = answer.putArray("reasons");
            left.entrySet().stream()
                    .limit(MOST_NAMED)
                    .forEach(entry -> named.addObject()
                            .put("message", entry.getKey())
                            .put("reason", PrintableText.of(entry.getValue(), PrintableText.LONGEST_NAME)));
            return answer;
        }
    }

    /**
     * A set of identifiers of messages. Those that the broker gave one after the other take one bit each, because it
     * leaves large gaps only where it starts. Not thread-safe.
     */
    static final class MessageIds {
        private static final int BITS = 12;

        private final Map<Long, BitSet> blocks = new HashMap<>();

        /** Adds an identifier, and returns whether it is new. */
        boolean add(long id) {
            BitSet block = blocks.computeIfAbsent(id >>> BITS, key -> new BitSet());
            int place = place(id);
            boolean isNew = !block.get(place);
            block.set(place);
            return isNew;
        }

        boolean contains(long id) {
            BitSet block = blocks.get(id >>> BITS);
            return block != null && block.get(place(id));
        }

        private static int place(long id) {
            return (int) (id & ((1 << BITS) - 1));
        }
    }
}
