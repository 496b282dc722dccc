/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.Arrival.Acknowledgement;

/** A message that could not be opened and so does not reach the application. The error code is the failure's name. */
public final class MessageOpenException extends JMSException {
    private static final long serialVersionUID = 1L;

    private final OpenFailure failure;
    private transient @Nullable Message arrived;

    MessageOpenException(OpenFailure failure, String reason) {
        super(reason, failure.name());
        this.failure = failure;
    }

    /** Says why; never with the text of an exception that could hold something of the message. */
    static MessageOpenException because(Throwable cause) {
        OpenFailure failure = OpenFailure.of(cause);
        if (failure == OpenFailure.INTERNAL) {
            MessageOpenException exception = new MessageOpenException(
                    failure,
                    "message: cannot be opened, internal error "
                            + cause.getClass().getName());
            exception.setStackTrace(cause.getStackTrace());
            return exception;
        }
        MessageOpenException exception =
                new MessageOpenException(failure, "message: cannot be opened, " + cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    /** This exception, of this message. */
    MessageOpenException of(Message message) {
        arrived = Unopened.of(new Arrival(message, SignetProperties.OF_UNOPENED, Acknowledgement.NO_EFFECT));
        return this;
    }

    /**
     * The message as it arrived, for tools that show what lies on a queue. Nothing of it was verified. It has no
     * properties of Signet, whatever its producer wrote; acknowledging it has no effect.
     */
    public Optional<Message> arrived() {
        return Optional.ofNullable(arrived);
    }

    /** Why. */
    public OpenFailure failure() {
        return failure;
    }
}
