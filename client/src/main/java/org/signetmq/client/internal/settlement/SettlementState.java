/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

/**
 * What a session has in hand that is not settled: messages that its application received, and what it sent in a
 * transaction. As a session, for one thread at a time.
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

    /** Whether giving a message back gives back or undoes nothing else. */
    boolean isEmpty() {
        return received == 0 && !sent;
    }
}
