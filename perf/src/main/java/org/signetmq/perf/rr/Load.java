/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

/** The load on the broker: requesters with one request each under way, their queues, and bytes per payload. */
record Load(int clients, int queues, int size) {
    /** More requesters share their responders: answering is less work than asking and waiting. */
    private static final int MOST_RESPONDERS = 32;

    Load {
        Scenario.require("clients", clients, 1);
        Scenario.require("queues", queues, 1);
        Scenario.require("size", size, 0);
    }

    /** Returns one for each requester, up to a limit; at least one for each queue that is asked. */
    int responders() {
        return Math.min(clients, Math.max(MOST_RESPONDERS, queues));
    }

    /** Returns the queue of a requester, or of a responder: each queue that is asked is answered. */
    int queueOf(int client) {
        return client % queues;
    }
}
