/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

/**
 * The unsettled work of a session: received messages, and in a transaction sent ones. Like a session, for one thread at
 * a time.
 */
final class SettlementState {
    private int received;
    private boolean sent;

    void received() {
        received++;
    }

    void sent() {
        sent = true;
    }

    /** Notes that one message was acknowledged individually. */
    void settledOne() {
        received = Math.max(0, received - 1);
    }

    /** Notes that all work was committed, acknowledged or given back. */
    void settled() {
        received = 0;
        sent = false;
    }

    /** Returns whether giving a message back undoes no other work. */
    boolean isEmpty() {
        return received == 0 && !sent;
    }
}
