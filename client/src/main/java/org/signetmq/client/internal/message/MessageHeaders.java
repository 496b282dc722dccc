/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;
import org.signetmq.client.internal.provider.ClientLibrary;

/** Carries headers and properties from one message to another. */
final class MessageHeaders {
    /** Of the names that the specification reserves, those that a producer sets. */
    private static final Set<String> PRODUCERS = Set.of("JMSXGroupID", "JMSXGroupSeq");

    private MessageHeaders() {}

    /**
     * Copies the headers and properties that an application sets before it sends a message. The properties of opening
     * do not travel on.
     */
    static void copyForSending(Message from, Message to, ClientLibrary library) throws JMSException {
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

    /** Copies the headers that a provider sets when it sends a message. */
    static void copySent(Message from, Message to) throws JMSException {
        to.setJMSDestination(from.getJMSDestination());
        to.setJMSDeliveryMode(from.getJMSDeliveryMode());
        to.setJMSExpiration(from.getJMSExpiration());
        to.setJMSPriority(from.getJMSPriority());
        to.setJMSMessageID(from.getJMSMessageID());
        to.setJMSTimestamp(from.getJMSTimestamp());
        to.setJMSDeliveryTime(from.getJMSDeliveryTime());
    }
}
