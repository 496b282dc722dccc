/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Method;
import org.apache.qpid.jms.message.JmsObjectMessage;
import org.apache.qpid.jms.policy.JmsDeserializationPolicy;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.jms.provider.amqp.message.AmqpSerializedObjectDelegate;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects with Qpid JMS. The library trusts the content of a new message as the application's own. So its reader
 * of received objects reads the object, under the policy of the connection. This class needs the classes of the client,
 * and a setter that is not public.
 */
public final class QpidObjects implements ObjectSource {
    private final AmqpSerializedObjectDelegate reader;

    private QpidObjects(AmqpSerializedObjectDelegate reader) {
        this.reader = reader;
    }

    public static QpidObjects put(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
        JmsObjectMessage qpid = (JmsObjectMessage) message;
        JmsDeserializationPolicy policy = qpid.getConnection().getDeserializationPolicy();
        if (policy == null) {
            throw new IllegalStateException("connection: no deserialization policy");
        }
        AmqpJmsMessageFacade facade = (AmqpJmsMessageFacade) qpid.getFacade();
        Method setBody = AmqpJmsMessageFacade.class.getDeclaredMethod("setBody", Section.class);
        setBody.setAccessible(true);
        setBody.invoke(facade, new Data(new Binary(serialized)));
        return new QpidObjects(new AmqpSerializedObjectDelegate(facade, policy));
    }

    @Override
    public @Nullable Serializable object() throws JMSException {
        try {
            return reader.getObject();
        } catch (IOException | ClassNotFoundException e) { // Qpid JMS reports it to the application in the same way
            MessageFormatException rejected = new MessageFormatException("Failed to read object: " + e.getMessage());
            rejected.setLinkedException(e);
            rejected.initCause(e);
            throw rejected;
        }
    }

    @Override
    public void complete(ObjectMessage content) {
        // the content already holds the bytes
    }
}
