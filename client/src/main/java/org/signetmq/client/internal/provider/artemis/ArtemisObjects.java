/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.artemis;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQObjectMessage;

/** What messages of the Artemis client take in no other way: objects and properties. Needs its classes. */
public final class ArtemisObjects {
    private ArtemisObjects() {}

    public static void put(byte[] serialized, ObjectMessage message) throws JMSException {
        ActiveMQObjectMessage artemis = (ActiveMQObjectMessage) message;
        ActiveMQBuffer body = artemis.getCoreMessage().getBodyBuffer();
        body.writeInt(serialized.length);
        body.writeBytes(serialized);
        try {
            artemis.doBeforeReceive(); // takes the object's bytes from the body as for any received message
        } catch (ActiveMQException e) {
            throw new JMSException("object: cannot be put into a message of the provider");
        }
    }

    /** Puts a property whose name is no Java name. */
    public static void putProperty(String name, Object value, Message message) {
        ((ActiveMQMessage) message).getCoreMessage().putObjectProperty(SimpleString.of(name), value);
    }
}
