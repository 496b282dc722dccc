/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.keys;

import org.apache.activemq.artemis.core.server.Queue;

/** The numbers of messages of one queue by their kinds. For one thread. */
final class QueueCount {
    private final Queue queue;
    private int looked;
    private int clear;
    private int notUnderstood;
    private int unreadable;
    private long notLookedAt;

    QueueCount(Queue queue) {
        this.queue = queue;
    }

    Queue queue() {
        return queue;
    }

    void add(StoredParties.Kind kind) {
        switch (kind) {
            case CLEAR -> clear++;
            case NOT_UNDERSTOOD -> notUnderstood++;
            case UNREADABLE -> unreadable++;
            case SEALED, GONE -> {
                // the table counts those by their keys
            }
        }
        looked++;
    }

    /** Notes messages that the queue has, and that were not looked at. */
    void leave(long messages) {
        notLookedAt = Math.max(0, messages);
    }

    int looked() {
        return looked;
    }

    int clear() {
        return clear;
    }

    int notUnderstood() {
        return notUnderstood;
    }

    int unreadable() {
        return unreadable;
    }

    long notLookedAt() {
        return notLookedAt;
    }

    /** Returns whether the keys of some messages are not known. */
    boolean hasUnknown() {
        return notUnderstood + unreadable + notLookedAt > 0;
    }
}
