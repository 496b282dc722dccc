/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.qpid.jms.message.JmsMessage;

/** Notes of a broker that a producer writes. */
public final class Forgery {
    private Forgery() {}

    /** Writes it in the way of the message's own library, besides the property that all have. */
    public static void note(Message message, String address) throws JMSException {
        if (message instanceof JmsMessage qpid) {
            qpid.getFacade().setTracingAnnotation("x-opt-ORIG-ADDRESS", address);
        } else if (message instanceof ActiveMQMessage activeMq) {
            activeMq.setOriginalDestination(new ActiveMQQueue(address));
            activeMq.setStringProperty("JMS_AMQP_MA_x-opt-ORIG-ADDRESS", address);
        }
    }
}
