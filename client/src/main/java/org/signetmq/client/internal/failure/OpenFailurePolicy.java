/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import jakarta.jms.JMSException;

/**
 * Decides how a receiving call continues after a message that cannot be opened.
 *
 * @param exceptions makes the exceptions for the application
 * @param reaction the reaction of the call after the message went back to the broker
 * @param counts counts the messages that can be opened
 */
public record OpenFailurePolicy(OpenExceptions exceptions, Reaction reaction, OpenCounts counts) {
    /** The reaction of a receiving call after it gave a message back to the broker. */
    public enum Reaction {
        /** The call continues with the next message. */
        SKIP,
        /** The call throws. */
        THROW
    }

    /**
     * Returns whether the call continues with the next message after this exception. A consumer with unusable keys or
     * policies can open no message. If it skipped them, the broker would move all messages to its dead-letter address.
     */
    public boolean skips(JMSException e) {
        return reaction == Reaction.SKIP && exceptions.isOpenFailure(e) && exceptions.mayOpenNext(e);
    }
}
