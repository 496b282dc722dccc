/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.Wrapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that the application sends.
 *
 * @param message the application's message
 * @param toSend the message for the provider
 * @param isSealed whether the provider's message has the properties of the application's, except hidden ones
 * @param body the body that is sealed while the provider reads it, or null
 */
public record OutgoingMessage(
        Message message,
        Message toSend,
        boolean isSealed,
        @Nullable Closeable body) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingMessage.class);

    public static OutgoingMessage of(Message message) throws JMSException {
        ReceivedMessage received = Wrapper.behind(message, ReceivedMessage.class);
        return received == null
                ? new OutgoingMessage(message, message, false, null)
                : new OutgoingMessage(message, received.forSending(), false, null);
    }

    /** Returns the same with another message for the provider, which has an envelope. */
    public OutgoingMessage sealed(Message made, @Nullable Closeable streamed) {
        return new OutgoingMessage(message, made, true, streamed);
    }

    /** Releases the body. Call it after the send, which has read all of it. */
    @Override
    public void close() {
        if (body != null) {
            try {
                body.close();
            } catch (IOException e) {
                LOG.debug("body of a sent message not closed", e);
            }
        }
    }

    /** Copies the headers that the provider set to the application's message. */
    @SuppressWarnings("ReferenceEquality") // the same object has them
    public void sent() throws JMSException {
        if (message != toSend) {
            message.setJMSDestination(toSend.getJMSDestination());
            message.setJMSDeliveryMode(toSend.getJMSDeliveryMode());
            message.setJMSExpiration(toSend.getJMSExpiration());
            message.setJMSPriority(toSend.getJMSPriority());
            message.setJMSMessageID(toSend.getJMSMessageID());
            message.setJMSTimestamp(toSend.getJMSTimestamp());
            message.setJMSDeliveryTime(toSend.getJMSDeliveryTime());
        }
    }

    /** Returns a listener that passes the application's message to the given one. */
    public CompletionListener completing(CompletionListener listener) {
        if (message == toSend) {
            return listener;
        }
        return new CompletionListener() {
            @Override
            public void onCompletion(Message sent) {
                try {
                    sent();
                } catch (JMSException e) {
                    LOG.debug("headers of a sent message not updated: {}", e.getErrorCode());
                }
                listener.onCompletion(message);
            }

            @Override
            public void onException(Message notSent, Exception exception) {
                listener.onException(message, exception);
            }
        };
    }
}
