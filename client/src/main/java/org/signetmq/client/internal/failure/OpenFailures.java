/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import jakarta.jms.JMSException;

/**
 * Decides how a receiving call continues after a message that cannot be opened.
 *
 * @param exceptions makes the exceptions for the application
 * @param reaction the reaction of the call after the message went back to the broker
 */
public record OpenFailures(OpenExceptions exceptions, Reaction reaction) {
    /** The reaction of a receiving call after it gave a message back to the broker. */
    public enum Reaction {
        /** The call goes on to the next message. */
        SKIP,
        /** The call throws. */
        THROW
    }

    /**
     * Whether the call goes on to the next message after this exception. A consumer with unusable keys or policies
     * opens no message. If it skipped them, the broker would move the whole queue to the dead letters.
     */
    public boolean skips(JMSException e) {
        return reaction == Reaction.SKIP && exceptions.isOpenFailure(e) && exceptions.mayOpenNext(e);
    }
}
