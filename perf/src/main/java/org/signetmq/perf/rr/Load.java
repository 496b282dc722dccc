/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

/**
 * How much is asked of the broker.
 *
 * @param clients requesters, each with one request under way
 * @param queues that the requests are spread over
 * @param size of a message's payload in bytes
 */
record Load(int clients, int queues, int size) {
    /** More share their queues: answering is less work than asking and waiting. */
    private static final int MOST_RESPONDERS = 32;

    Load {
        aboveZero("clients", clients);
        aboveZero("queues", queues);
        if (size < 0) {
            throw new IllegalArgumentException("size: must not be below zero, found " + size);
        }
    }

    private static void aboveZero(String name, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(name + ": must be above zero, found " + count);
        }
    }

    /** One per requester, up to a limit; at least one for each queue that is asked. */
    int responders() {
        return Math.min(clients, Math.max(MOST_RESPONDERS, queues));
    }

    /** The queue of a requester, or of a responder: each queue that is asked is answered. */
    int queueOf(int client) {
        return client % queues;
    }
}
