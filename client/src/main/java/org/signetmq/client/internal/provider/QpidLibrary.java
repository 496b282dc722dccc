/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Method;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.message.JmsObjectMessage;
import org.apache.qpid.jms.message.JmsStreamMessage;
import org.apache.qpid.jms.message.facade.JmsStreamMessageFacade;
import org.apache.qpid.jms.policy.JmsDeserializationPolicy;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.jms.provider.amqp.message.AmqpSerializedObjectDelegate;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;

/** Qpid JMS. This class needs the classes of the client. */
public final class QpidLibrary implements ClientLibrary {
    private static final String ORIGINAL_ADDRESS = "x-opt-ORIG-ADDRESS";

    /** The property of a message that sets the outcome of its delivery. */
    private static final String OUTCOME = "JMS_AMQP_ACK_TYPE";

    /** The outcome modified with delivery-failed (AMQP 1.0 section 3.4.5). */
    private static final int DELIVERY_FAILED = 4;

    @Override
    public ClientProtocol protocol() {
        return ClientProtocol.AMQP;
    }

    /** Settles the delivery as failed. A recovery stays within the client, where the broker counts no delivery. */
    @Override
    public void giveBack(Message arrived, ProviderSession session) throws JMSException {
        arrived.setIntProperty(OUTCOME, DELIVERY_FAILED);
        arrived.acknowledge();
    }

    /** Reads the message annotation by the only public method for it, which the library has for tracers. */
    @Override
    public @Nullable Object originalAddress(Message arrived) {
        return ((JmsMessage) arrived).getFacade().getTracingAnnotation(ORIGINAL_ADDRESS);
    }

    @Override
    public ObjectSource putObject(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
        return Objects.put(serialized, message);
    }

    @Override
    public boolean takesTypedItems() {
        return true;
    }

    @Override
    public void appendItem(@Nullable Object item, StreamMessage message) {
        ((JmsStreamMessageFacade) ((JmsStreamMessage) message).getFacade()).put(item);
    }

    /**
     * Reads objects with Qpid JMS. The library trusts the content of a new message as the application's own. So its
     * reader of received objects reads the object, under the policy of the connection. It needs a setter that is not
     * public.
     */
    private static final class Objects implements ObjectSource {
        private final AmqpSerializedObjectDelegate reader;

        private Objects(AmqpSerializedObjectDelegate reader) {
            this.reader = reader;
        }

        static Objects put(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
            JmsObjectMessage qpid = (JmsObjectMessage) message;
            JmsDeserializationPolicy policy = qpid.getConnection().getDeserializationPolicy();
            if (policy == null) {
                throw new IllegalStateException("connection: no deserialization policy");
            }
            AmqpJmsMessageFacade facade = (AmqpJmsMessageFacade) qpid.getFacade();
            Method setBody = AmqpJmsMessageFacade.class.getDeclaredMethod("setBody", Section.class);
            setBody.setAccessible(true);
            setBody.invoke(facade, new Data(new Binary(serialized)));
            return new Objects(new AmqpSerializedObjectDelegate(facade, policy));
        }

        @Override
        public @Nullable Serializable object() throws JMSException {
            try {
                return reader.getObject();
            } catch (IOException | ClassNotFoundException e) { // Qpid JMS reports it to the application in the same way
                MessageFormatException rejected =
                        new MessageFormatException("Failed to read object: " + e.getMessage());
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
}
