/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

/**
 * The unsettled work of a session: received messages, and in a transaction sent ones. As a session, for one thread at a
 * time.
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

    /** One message was acknowledged on its own. */
    void settledOne() {
        received = Math.max(0, received - 1);
    }

    /** All of it was committed, acknowledged, or given back. */
    void settled() {
        received = 0;
        sent = false;
    }

    /** Tells whether giving a message back undoes no other work. */
    boolean isEmpty() {
        return received == 0 && !sent;
    }
}
