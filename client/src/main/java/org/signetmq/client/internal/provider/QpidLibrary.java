/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.message.JmsStreamMessage;
import org.apache.qpid.jms.message.facade.JmsStreamMessageFacade;
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
        return QpidObjects.put(serialized, message);
    }

    @Override
    public boolean takesTypedItems() {
        return true;
    }

    @Override
    public void appendItem(@Nullable Object item, StreamMessage message) {
        ((JmsStreamMessageFacade) ((JmsStreamMessage) message).getFacade()).put(item);
    }
}
