/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that the application sends.
 *
 * @param message the application's message
 * @param toSend the message for the provider
 */
public record OutgoingMessage(Message message, Message toSend) {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingMessage.class);

    public static OutgoingMessage of(Message message) throws JMSException {
        return new OutgoingMessage(
                message, message instanceof ReceivedMessage received ? received.forSending() : message);
    }

    /** Copies the headers that the provider set to the application's message. */
    public void sent() throws JMSException {
        if (message instanceof ReceivedMessage received && received.opened()) {
            MessageHeaders.copySent(toSend, message);
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
