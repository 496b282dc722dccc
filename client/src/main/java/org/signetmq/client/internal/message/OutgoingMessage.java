/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.Wrapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that the application sends.
 *
 * @param message the application's message
 * @param toSend the message for the provider
 * @param copied whether the provider's message is another one than the application's
 */
public record OutgoingMessage(Message message, Message toSend, boolean copied) {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingMessage.class);

    /** The reserved property names that a producer sets. */
    private static final Set<String> PRODUCERS = Set.of("JMSXGroupID", "JMSXGroupSeq");

    public static OutgoingMessage of(Message message) throws JMSException {
        ReceivedMessage received = Wrapper.behind(message, ReceivedMessage.class);
        return received == null
                ? new OutgoingMessage(message, message, false)
                : new OutgoingMessage(message, received.forSending(), received.opened());
    }

    /**
     * Copies the headers and properties that an application sets before it sends a message. The properties of opening
     * do not travel on.
     */
    static void copy(Message from, Message to, ClientLibrary library) throws JMSException {
        to.clearProperties();
        for (Object name : Collections.list((Enumeration<?>) from.getPropertyNames())) {
            String property = (String) name;
            if (PRODUCERS.contains(property)
                    || !(property.startsWith("JMS") || SignetProperties.isReserved(property))) {
                library.putProperty(property, from.getObjectProperty(property), to);
            }
        }
        to.setJMSCorrelationID(from.getJMSCorrelationID());
        to.setJMSReplyTo(from.getJMSReplyTo());
        to.setJMSType(from.getJMSType());
    }

    /** Copies the headers that the provider set to the application's message. */
    public void sent() throws JMSException {
        if (copied) {
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
