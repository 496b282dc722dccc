/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.interceptor.internal.gate.BacklogJudge;
import org.signetmq.interceptor.internal.gate.InPlaceMoves;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Selects messages of a job that are in clear and can be sealed, as a filter for the broker's move. For one thread.
 *
 * <p>It selects messages that the queue has in memory alone, for the case that the address begins to page. The broker
 * may read a page while another thread moves a message of the page, and then deliver that message again.
 */
final class BacklogStep extends MessageFilter {
    private final BacklogJob job;
    private final int most;
    private final BacklogJudge judge;
    private final InPlaceMoves moves;
    private final Map<Long, String> left = new LinkedHashMap<>();
    private final Map<Long, InPlaceMoves.Move> moved = new LinkedHashMap<>();
    private int sealedBefore;

    /**
     * Makes a step.
     *
     * @param most the greatest number of messages to look at
     */
    BacklogStep(BacklogJob job, int most, BacklogJudge judge, InPlaceMoves moves) {
        this.job = job;
        this.most = most;
        this.judge = judge;
        this.moves = moves;
    }

    @Override
    public boolean match(Message message) {
        if (!Thread.holdsLock(job.queue()) || !isSealable(message)) {
            return false;
        }
        moved.put(message.getMessageID(), moves.begin(message));
        return true;
    }

    /** Returns whether a message of the job can be sealed. It never throws, because the broker iterates its queue. */
    boolean isSealable(Message message) {
        if (looked() >= most || !job.takes(message.getMessageID())) {
            return false;
        }
        try {
            boolean sealable = judge.isSealable(message, job.queue().getAddress());
            if (!sealable) {
                sealedBefore++;
            }
            return sealable;
        } catch (MessageRejectedException e) {
            left.put(message.getMessageID(), String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            // its text may contain secrets
            left.put(message.getMessageID(), "internal error " + e.getClass().getName());
        }
        return false;
    }

    private int looked() {
        return moved.size() + left.size() + sealedBefore;
    }

    /** Returns the number of messages that were moved and sealed. */
    int sealed() {
        return (int)
                moved.values().stream().filter(move -> move.problem() == null).count();
    }

    /** Returns the number of messages that needed no seal. */
    int sealedBefore() {
        return sealedBefore;
    }

    /** Returns the messages that stay in clear, with the reasons. */
    Map<Long, String> left() {
        Map<Long, String> all = new LinkedHashMap<>(left);
        moved.forEach((message, move) -> {
            Throwable problem = move.problem();
            if (problem != null) {
                all.put(
                        message,
                        problem instanceof MessageRejectedException
                                ? String.valueOf(problem.getMessage())
                                : "internal error " + problem.getClass().getName());
            }
        });
        return all;
    }
}
