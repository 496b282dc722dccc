/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.ObjectMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.ObjectSource;
import org.signetmq.client.internal.provider.plain.FilteredObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts a serialised object into a provider's message, so that the provider deserialises it under its own limits. */
final class SerializedObjects {
    private static final Logger LOG = LoggerFactory.getLogger(SerializedObjects.class);

    private SerializedObjects() {}

    /**
     * Puts it.
     *
     * @return what reads the object if the message itself does not: the provider's reader, or where none is known, one
     *     with narrow limits
     */
    static @Nullable ObjectSource put(byte[] serialized, ObjectMessage message, ClientLibrary library)
            throws JMSException {
        try {
            return library.putObject(serialized, message);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            LOG.debug("object message of {} not filled: {}", message.getClass(), e.getClass());
        }
        return new FilteredObject(serialized);
    }
}
