/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import org.signetmq.client.internal.provider.ClientProtocol;
import org.signetmq.client.internal.provider.ObjectSource;

/**
 * An AMQP value in an object message.
 *
 * @param value the value in types of proton-j, such as {@code UnsignedInteger} and {@code Binary}
 * @param protocol the protocol of the consumer that received it
 */
record TypedObject(Object value, ClientProtocol protocol) implements ObjectSource {
    @Override
    public Serializable object() throws JMSException {
        if (value instanceof Serializable serializable) {
            return serializable;
        }
        throw new MessageFormatException("object: " + value.getClass().getName() + " is not serializable");
    }

    @Override
    public void complete(ObjectMessage content) throws JMSException {
        if (protocol == ClientProtocol.AMQP) {
            content.setBooleanProperty(RestoredProperties.TYPED_ENCODING, true); // as in the message that arrived
        }
        content.setObject(object());
    }
}
