/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ObjectMessage;
import java.lang.reflect.Method;
import org.apache.qpid.jms.message.JmsObjectMessage;
import org.apache.qpid.jms.message.facade.JmsMessageFacade;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;

/** Object messages of Qpid JMS. Needs its classes, and a setter that it does not publish. */
final class QpidObjects {
    private QpidObjects() {}

    static void put(byte[] serialized, ObjectMessage message) throws ReflectiveOperationException {
        JmsMessageFacade facade = ((JmsObjectMessage) message).getFacade();
        Method setBody = AmqpJmsMessageFacade.class.getDeclaredMethod("setBody", Section.class);
        setBody.setAccessible(true);
        setBody.invoke(facade, new Data(new Binary(serialized)));
    }
}
