/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** Clients of Jakarta Messaging. */
enum JmsClient {
    CORE,
    AMQP;

    ConnectionFactory factory(TestBroker broker) {
        return this == CORE ? Producers.core(broker) : Producers.amqp(broker);
    }

    /** Sends a letter with all its metadata. */
    void send(TestBroker broker, String address, String text) throws Exception {
        send(broker, address, session -> Letter.write(session, text));
    }

    /** Sends a message with the metadata of a producer. */
    void send(TestBroker broker, String address, Producers.Making making) throws Exception {
        send(factory(broker), address, (session, producer) -> producer.send(making.make(session)));
    }

    /** An action with a producer that gives metadata. */
    @FunctionalInterface
    interface Sending {
        void with(Session session, MessageProducer producer) throws Exception;
    }

    static void send(ConnectionFactory factory, String address, Sending sending) throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageProducer producer = Letter.dress(session.createProducer(session.createQueue(address)))) {
            sending.with(session, producer);
        }
    }
}
