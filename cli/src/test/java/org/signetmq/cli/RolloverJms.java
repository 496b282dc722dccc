/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.Queue;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;

/** A JMS library: one connection of ordinary producers, and one of consumers that open. */
final class RolloverJms implements RolloverLane {
    private final String protocol;
    private final GuardedBroker broker;
    private final SignetConnectionFactory opening;
    private final Connection producers;
    private final Connection consumers;

    /**
     * Connects producers and consumers.
     *
     * @param lost gets the exceptions of connections
     */
    RolloverJms(String protocol, GuardedBroker broker, ConnectionFactory plain, Path home, Queue<Throwable> lost)
            throws JMSException {
        this.protocol = protocol;
        this.broker = broker;
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray())) {
            this.opening = SignetConnectionFactory.open(plain, home, "alice", password);
        }
        this.producers = connect(plain, lost);
        this.consumers = connect(opening, lost);
    }

    private static Connection connect(ConnectionFactory factory, Queue<Throwable> lost) throws JMSException {
        Connection made = factory.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
        made.setExceptionListener(lost::add);
        made.start();
        return made;
    }

    @Override
    public String protocol() {
        return protocol;
    }

    @Override
    public void prepare(String address) throws Exception {
        broker.createQueue(address);
    }

    @Override
    public RolloverFlow.Sending producer(String address) throws JMSException {
        Session session = producers.createSession(); // closed with its connection
        MessageProducer producer = session.createProducer(session.createQueue(address));
        return text -> producer.send(session.createTextMessage(text));
    }

    @Override
    public void consume(String address, RolloverFlow flow) throws JMSException {
        Session session = consumers.createSession();
        session.createConsumer(session.createQueue(address))
                .setMessageListener(message -> flow.receive(() -> text(message)));
    }

    private static String text(Message message) throws JMSException {
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                .isEqualTo("CN=broker");
        return message.getBody(String.class);
    }

    @Override
    public void close() throws JMSException {
        producers.close();
        consumers.close();
        opening.close();
    }
}
