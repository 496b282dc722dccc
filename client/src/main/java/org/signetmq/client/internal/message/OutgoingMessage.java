/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message on its way out.
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

    /** Gives the application's message the headers that sending sets. */
    public void sent() throws JMSException {
        if (message instanceof ReceivedMessage received && received.opened()) {
            MessageHeaders.copySent(toSend, message);
        }
    }

    /** A listener that hears of the application's message. */
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
