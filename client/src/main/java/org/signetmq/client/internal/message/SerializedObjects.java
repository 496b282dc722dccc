/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.ObjectMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ObjectSource;
import org.signetmq.client.internal.provider.TypeNames;
import org.signetmq.client.internal.provider.activemq.ActiveMqObjects;
import org.signetmq.client.internal.provider.artemis.ArtemisObjects;
import org.signetmq.client.internal.provider.plain.FilteredObject;
import org.signetmq.client.internal.provider.qpid.QpidObjects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a serialised object into a provider's message, so that the provider deserialises it under its own limits. The
 * classes that know a provider are loaded only when a message of that provider is there.
 */
final class SerializedObjects {
    private static final Logger LOG = LoggerFactory.getLogger(SerializedObjects.class);

    private SerializedObjects() {}

    /**
     * Puts it.
     *
     * @return what reads the object if the message itself does not: the provider's reader, or where none is known, one
     *     with narrow limits
     */
    static @Nullable ObjectSource put(byte[] serialized, ObjectMessage message) throws JMSException {
        try {
            if (TypeNames.isA(message, "org.apache.activemq.artemis.jms.client.ActiveMQObjectMessage")) {
                ArtemisObjects.put(serialized, message);
                return null;
            }
            if (TypeNames.isA(message, "org.apache.activemq.command.ActiveMQObjectMessage")) {
                ActiveMqObjects.put(serialized, message);
                return null;
            }
            if (TypeNames.isA(message, "org.apache.qpid.jms.message.JmsObjectMessage")) {
                return QpidObjects.put(serialized, message);
            }
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            LOG.debug("object message of {} not filled: {}", message.getClass(), e.getClass());
        }
        return new FilteredObject(serialized);
    }
}
