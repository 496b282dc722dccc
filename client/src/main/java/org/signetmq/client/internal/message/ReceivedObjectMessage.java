/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ObjectSource;

/** A received object message. */
final class ReceivedObjectMessage extends ReceivedMessage implements ObjectMessage {
    private final ObjectMessage content;
    private @Nullable ObjectSource source;

    /**
     * Makes an object message.
     *
     * @param source the source of the object; null if the provider's message holds it
     */
    ReceivedObjectMessage(ReceivedEnvelope envelope, ObjectMessage content, @Nullable ObjectSource source) {
        super(envelope, content);
        this.content = content;
        this.source = source;
    }

    @Override
    public @Nullable Serializable getObject() throws JMSException {
        return source == null ? content.getObject() : source.object();
    }

    @Override
    public void setObject(Serializable object) throws JMSException {
        checkBodyWritable();
        content.setObject(object);
        source = null;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        source = null;
    }

    @Override
    void completeContent() throws JMSException {
        if (source != null) {
            source.complete(content);
        }
    }

    @Override
    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // the interface returns null for a missing body
    public <T> T getBody(Class<T> type) throws JMSException {
        if (source == null) {
            return super.getBody(type);
        }
        Serializable object = source.object();
        if (object != null && !type.isInstance(object)) {
            throw new MessageFormatException("body: not a " + type.getName());
        }
        return type.cast(object);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        if (source == null) {
            return super.isBodyAssignableTo(type);
        }
        try {
            Serializable object = source.object();
            return object == null || type.isInstance(object);
            // Qpid JMS has the same answer, and the source has its reader or types
        } catch (MessageFormatException unreadable) {
            return true;
        }
    }
}
