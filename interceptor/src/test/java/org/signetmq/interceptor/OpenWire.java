/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import javax.jms.Connection;
import javax.jms.JMSException;
import javax.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;

/** The client of ActiveMQ 5, which speaks javax.jms. */
final class OpenWire {
    private OpenWire() {}

    /** An action in a session. */
    @FunctionalInterface
    interface Work {
        void with(Session session) throws JMSException;
    }

    static String uri(TestBroker broker) {
        return "tcp://127.0.0.1:" + broker.port + "?jms.watchTopicAdvisories=false";
    }

    static void inSession(TestBroker broker, Work work) throws JMSException {
        in(broker, Session.AUTO_ACKNOWLEDGE, work);
    }

    /** Commits after the work. */
    static void inTransaction(TestBroker broker, Work work) throws JMSException {
        in(broker, Session.SESSION_TRANSACTED, session -> {
            work.with(session);
            session.commit();
        });
    }

    private static void in(TestBroker broker, int mode, Work work) throws JMSException {
        try (Connection connection = new ActiveMQConnectionFactory("alice", "secret", uri(broker)).createConnection();
                Session session = connection.createSession(mode == Session.SESSION_TRANSACTED, mode)) {
            connection.start();
            work.with(session);
        }
    }
}
