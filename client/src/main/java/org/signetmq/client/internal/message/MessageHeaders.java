/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;
import org.signetmq.client.internal.provider.ClientProtocol;
import org.signetmq.client.internal.provider.artemis.ArtemisObjects;

/** Carries headers and properties from one message to another. */
final class MessageHeaders {
    /** Of the names that the specification reserves, those that a producer sets. */
    private static final Set<String> PRODUCERS = Set.of("JMSXGroupID", "JMSXGroupSeq");

    private MessageHeaders() {}

    /** What an application sets on a message before it sends it. What opening found out does not travel on. */
    static void copyForSending(Message from, Message to) throws JMSException {
        to.clearProperties();
        for (Object name : Collections.list((Enumeration<?>) from.getPropertyNames())) {
            String property = (String) name;
            if (PRODUCERS.contains(property)
                    || !(property.startsWith("JMS") || SignetProperties.isReserved(property))) {
                copy(property, from.getObjectProperty(property), to);
            }
        }
        to.setJMSCorrelationID(from.getJMSCorrelationID());
        to.setJMSReplyTo(from.getJMSReplyTo());
        to.setJMSType(from.getJMSType());
    }

    /** The Artemis client hands out names that it does not take, as those of MQTT; its own messages keep them. */
    private static void copy(String name, Object value, Message to) throws JMSException {
        try {
            to.setObjectProperty(name, value);
        } catch (JMSRuntimeException rejected) {
            if (ClientProtocol.of(to) != ClientProtocol.CORE) {
                throw rejected;
            }
            ArtemisObjects.putProperty(name, value, to);
        }
    }

    /** What a provider sets on a message that it sent. */
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
