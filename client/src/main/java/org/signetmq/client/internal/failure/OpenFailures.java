/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import jakarta.jms.JMSException;

/**
 * Decides what a receiving call does when a message cannot be opened.
 *
 * @param exceptions makes the exceptions for the application
 * @param reaction what the call does after the message went back to the broker
 */
public record OpenFailures(OpenExceptions exceptions, Reaction reaction) {
    /** What a receiving call does after it gave a message back to the broker. */
    public enum Reaction {
        /** The call goes on to the next message. */
        SKIP,
        /** The call throws. */
        THROW
    }

    /**
     * Whether the call goes on to the next message after this exception. A consumer whose own keys or policies are
     * unusable opens no message: if it skipped them, the broker would move the whole queue to the dead letters.
     */
    public boolean skips(JMSException e) {
        return reaction == Reaction.SKIP && exceptions.isOpenFailure(e) && exceptions.mayOpenNext(e);
    }
}
