/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.activemq;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import org.apache.activemq.ActiveMQConnectionFactory;

/** Contexts of the ActiveMQ client. Needs its classes. */
public final class ActiveMqContexts {
    private ActiveMqContexts() {}

    /** A context of any mode, which version 5.19 makes only where a user is named. */
    public static JMSContext create(ConnectionFactory factory, int mode) {
        ActiveMQConnectionFactory activeMq = (ActiveMQConnectionFactory) factory;
        return activeMq.createContext(activeMq.getUserName(), activeMq.getPassword(), mode);
    }
}
