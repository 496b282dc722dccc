/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;

/** Reports a message that cannot be opened and does not reach the application. The error code is the failure's name. */
public final class MessageOpenException extends JMSException {
    private static final long serialVersionUID = 1L;

    private final OpenFailure failure;
    private final transient @Nullable Message arrived;

    private MessageOpenException(OpenFailure failure, String reason, @Nullable Message arrived) {
        super(reason, failure.name());
        this.failure = failure;
        this.arrived = arrived;
    }

    /** Makes the exception. It shows no text of an internal exception, because that could contain message content. */
    static MessageOpenException because(Throwable cause, @Nullable Message arrived) {
        OpenFailure failure = OpenFailure.of(cause);
        boolean internal = failure == OpenFailure.INTERNAL;
        String why = internal ? "internal error " + cause.getClass().getName() : cause.getMessage();
        MessageOpenException exception = new MessageOpenException(
                failure, PrintableText.of("message: cannot be opened, " + why, PrintableText.LONGEST_REASON), arrived);
        if (internal) {
            exception.setStackTrace(cause.getStackTrace());
        } else {
            exception.initCause(cause);
        }
        return exception;
    }

    /**
     * Returns the message as it arrived, for tools that show the messages of a queue. Signet verified no part of it. It
     * has no properties of Signet, and its acknowledgement has no effect.
     */
    public Optional<Message> arrived() {
        return Optional.ofNullable(arrived);
    }

    /** Returns the reason. */
    public OpenFailure failure() {
        return failure;
    }
}
