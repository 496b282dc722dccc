/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.gate.BacklogJudge;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** A limited number of messages of a job, which are looked at one after the other. For one thread. */
final class BacklogStep {
    /** The greatest number of messages in a transaction. */
    private static final int MOST_IN_BATCH = 100;

    /** The length of the messages in memory at which a transaction takes no further message, in bytes. */
    private static final long LONG_BATCH = 4 << 20;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private final BacklogJob job;
    private final QueueMessages messages;
    private final BacklogJudge judge;
    private final int most;
    private final long end;
    private final Map<Long, String> left = new LinkedHashMap<>();
    private int sealed;
    private int sealedBefore;
    private boolean hidden;
    private boolean browsing;

    /**
     * Makes a step.
     *
     * @param most the greatest number of messages to look at
     * @param end the time of {@link System#nanoTime} at which the step begins nothing new
     */
    BacklogStep(BacklogJob job, BacklogJudge judge, int most, long end) {
        this.job = job;
        this.messages = job.messages();
        this.judge = judge;
        this.most = most;
        this.end = end;
    }

    private boolean goesOn() {
        return looked() < most && System.nanoTime() < end;
    }

    private int looked() {
        return sealed + sealedBefore + left.size();
    }

    /** Seals messages that the broker has in memory, and waits for those that it reads from pages. */
    void seal(SealedCopies copies) throws Exception {
        List<MessageReference> found = awaitMessages();
        while (!found.isEmpty() && goesOn()) {
            List<MessageReference> batch = clearBatch(found);
            if (!batch.isEmpty()) {
                job.close(); // what was browsed may be elsewhere now
                SealedCopies.Outcome outcome = copies.seal(messages.take(batch));
                sealed += outcome.sealed();
                job.sealed(outcome.sealed());
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
     * Waits a moment for messages, because the broker routes them and reads pages on threads of its own. A step that
     * goes on browsing does not wait for pages: sealed messages fill the memory then, so the broker reads none.
     */
    private List<MessageReference> awaitMessages() throws InterruptedException {
        long patience = job.isBrowsing() ? System.nanoTime() : Math.min(end, System.nanoTime() + PATIENCE);
        int number = Math.min(MOST_IN_BATCH, most - looked());
        List<MessageReference> found = messages.find(job::wants, number);
        if (found.isEmpty()) {
            messages.awaitRouted();
            found = messages.find(job::wants, number);
        }
        while (found.isEmpty() && messages.isPaging() && System.nanoTime() < patience) {
            messages.readPages();
            LockSupport.parkNanos(PAUSE);
            found = messages.find(job::wants, number);
        }
        return found;
    }

    /** Returns the first messages that are in clear and are not too long together. Notes those that need no seal. */
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
        return judge(
                reference, message -> judge.isClear(message, messages.queue().getAddress()));
    }

    private interface Judgement {
        boolean of(Message message) throws Exception;
    }

    /** Returns a judgement about a message. If it is negative, the message stays as it is, and the step counts it. */
    private boolean judge(MessageReference reference, Judgement judgement) {
        try {
            if (judgement.of(reference.getMessage())) {
                return true;
            }
            sealedBefore++;
            job.leaves(reference.getMessageID());
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
        job.leaves(id);
    }

    /**
     * Looks for messages in clear that the queue does not show: consumers have them, or they lie in pages behind
     * messages that the broker has in memory. Without one the job ends.
     */
    private void lookBehind() {
        for (MessageReference next = browse(); next != null; next = browse()) {
            if (isClear(next)) {
                hidden = true;
                job.close();
                return;
            }
        }
    }

    /** Returns the next message to look at; null at the end of the step or of the job. */
    private @Nullable MessageReference browse() {
        MessageReference next = goesOn() ? job.browse(end) : null;
        browsing = next == null && !job.isBrowsed();
        if (next == null && job.isBrowsed()) {
            job.end();
        }
        return next;
    }

    /** Judges messages, and changes nothing. */
    void judge() {
        for (MessageReference next = browse(); next != null; next = browse()) {
            if (judge(
                    next, message -> judge.isSealable(message, messages.queue().getAddress()))) {
                sealed++;
                job.leaves(next.getMessageID());
            }
        }
    }

    /** Returns the number of messages that were sealed, or can be. */
    int sealed() {
        return sealed;
    }

    /** Returns the number of messages that needed no seal. */
    int sealedBefore() {
        return sealedBefore;
    }

    /** Returns the messages that stay in clear, with the reasons. */
    Map<Long, String> left() {
        return left;
    }

    /** Returns whether the step ended before it had looked at all messages, which a further step continues. */
    boolean isBrowsing() {
        return browsing;
    }

    /** Returns whether the queue has messages in clear that it does not show now. */
    boolean hidesMessages() {
        return hidden;
    }
}
