/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
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
        try (Connection connection = factory(broker).createConnection();
                Session session = connection.createSession();
                var producer = Letter.dress(session.createProducer(session.createQueue(address)))) {
            producer.send(making.make(session));
        }
    }
}
