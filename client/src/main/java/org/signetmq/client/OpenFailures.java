/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

/** What becomes of a call that receives when the message that arrived cannot be opened. */
enum OpenFailures {
    /** The message goes back to the broker, and the call goes on to the next message. */
    SKIPPED,
    /** The message goes back to the broker, and the call throws. */
    THROWN;

    /**
     * Whether the next message may do better. A consumer that cannot read its own keys or policies opens none: it must
     * not send a whole queue to the dead letters.
     */
    boolean skips(MessageOpenException failure) {
        return this == SKIPPED && failure.failure() != OpenFailure.KEYSTORE;
    }
}
