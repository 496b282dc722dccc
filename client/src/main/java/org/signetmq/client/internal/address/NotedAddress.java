/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.address;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.TypeNames;
import org.signetmq.client.internal.provider.activemq.ActiveMqDestinations;
import org.signetmq.client.internal.provider.qpid.QpidAnnotations;

/**
 * Where a message was before the broker moved it, as the broker notes it: what it stores as a Core message, which is
 * all but AMQP, has a property, what it stores as AMQP has an annotation. Of a message that was not moved it is
 * whatever its producer wrote there.
 */
final class NotedAddress {
    private static final String PROPERTY = "_AMQ_ORIG_ADDRESS";
    private static final String ANNOTATION = "x-opt-ORIG-ADDRESS";

    /** An annotation, as clients of other protocols get it. */
    private static final String ANNOTATION_AS_PROPERTY = "JMS_AMQP_MA_" + ANNOTATION;

    private NotedAddress() {}

    /** Null if nothing is noted, or no text. */
    static @Nullable String of(Message message) throws JMSException {
        Object noted = null;
        if (TypeNames.isA(message, "org.apache.qpid.jms.message.JmsMessage")) {
            noted = QpidAnnotations.get(message, ANNOTATION);
        } else if (TypeNames.isA(message, "org.apache.activemq.command.ActiveMQMessage")) {
            noted = message.getObjectProperty(ANNOTATION_AS_PROPERTY);
            noted = noted == null ? ActiveMqDestinations.original(message) : noted;
        }
        noted = noted == null ? message.getObjectProperty(PROPERTY) : noted;
        return noted instanceof String text && !text.isEmpty() ? Source.withoutQueuePart(text) : null;
    }
}
