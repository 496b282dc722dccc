/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message that could not be opened and so does not reach the application. The error code is the failure's name. */
public final class MessageOpenException extends JMSException {
    private static final long serialVersionUID = 1L;

    private final OpenFailure failure;
    private final transient @Nullable Message arrived;

    private MessageOpenException(OpenFailure failure, String reason, @Nullable Message arrived) {
        super(reason, failure.name());
        this.failure = failure;
        this.arrived = arrived;
    }

    /** Says why; never with the text of an exception that could hold something of the message. */
    static MessageOpenException because(Throwable cause, @Nullable Message arrived) {
        OpenFailure failure = OpenFailure.of(cause);
        boolean internal = failure == OpenFailure.INTERNAL;
        String why = internal ? "internal error " + cause.getClass().getName() : cause.getMessage();
        MessageOpenException exception =
                new MessageOpenException(failure, "message: cannot be opened, " + why, arrived);
        if (internal) {
            exception.setStackTrace(cause.getStackTrace());
        } else {
            exception.initCause(cause);
        }
        return exception;
    }

    /**
     * The message as it arrived, for tools that show the messages of a queue. Nothing of it was verified. It has no
     * properties of Signet, and its acknowledgement has no effect.
     */
    public Optional<Message> arrived() {
        return Optional.ofNullable(arrived);
    }

    /** Why. */
    public OpenFailure failure() {
        return failure;
    }
}
