/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.AmqpBodies;
import org.signetmq.testkit.Tier;

/** A real broker in this JVM and the clients to reach it. */
public final class TestBroker implements AutoCloseable {
    public static final String DEAD_LETTERS = "DLQ";
    public static final String EXPIRED = "ExpiryQueue";
    public static final int ATTEMPTS = 3;

    /** An address to which nobody can send. */
    static final String REFUSED = "refused.address";

    private final Broker broker;
    private final UnaryOperator<ConnectionFactory> wrapper;

    /**
     * Starts it.
     *
     * @param data where the broker writes; null for memory alone
     * @param home of the plugin; null for a broker without the plugin
     */
    TestBroker(@Nullable Path data, @Nullable Path home) throws Exception {
        this(BrokerLoader.start(data, home), factory -> factory);
    }

    private TestBroker(Broker broker, UnaryOperator<ConnectionFactory> wrapper) {
        this.broker = broker;
        this.wrapper = wrapper;
    }

    /** Returns the same broker, to which clients connect by factories that this one wraps. */
    TestBroker through(UnaryOperator<ConnectionFactory> wrapping) {
        return new TestBroker(broker, wrapping);
    }

    int port() {
        return broker.port();
    }

    /** How many messages are on a queue, delivered and not acknowledged ones included. */
    public long messages(String queue) {
        return broker.messages(queue);
    }

    public long delivering(String queue) {
        return broker.delivering(queue);
    }

    void deleteMessages(String queue) {
        broker.deleteMessages(queue);
    }

    /** Makes a queue that keeps the last of its messages, whoever consumes it. It replaces one of that name. */
    void keepLast(String queue) {
        broker.keepLast(queue);
    }

    /** Stops the broker and starts it again on its port. */
    void restart() {
        broker.restart();
    }

    /** Puts a message of an AMQP producer that set no 'to' on an address. */
    void putAmqpWithoutTo(String address, byte[] body) {
        broker.putAmqp(address, AmqpBodies.sections(new Data(new Binary(body))));
    }

    public void clearDeadLetters() {
        broker.deleteMessages(DEAD_LETTERS);
        broker.deleteMessages(EXPIRED);
    }

    public ConnectionFactory factory(Client client) {
        return wrapper.apply(
                switch (client) {
                    case CORE -> core();
                    case AMQP -> amqp();
                    case OPENWIRE -> openWire();
                });
    }

    /**
     * For consumers that ask again and again without waiting. The broker sometimes, once in some thousand times, does
     * not answer a drain of the AMQP client. Here the test looks at the arrived messages alone.
     */
    ConnectionFactory factoryForPolling(Client client) {
        return client == Client.AMQP
                ? new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port() + "?jms.receiveNoWaitLocalOnly=true")
                : factory(client);
    }

    public ActiveMQConnectionFactory core() {
        return new ActiveMQConnectionFactory(url());
    }

    String url() {
        return "tcp://127.0.0.1:" + broker.port();
    }

    JmsConnectionFactory amqp() {
        return new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port());
    }

    /** This client redelivers on its own, and tells the broker to give a message up after this number of attempts. */
    org.apache.activemq.ActiveMQConnectionFactory openWire() {
        return new org.apache.activemq.ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port()
                + "?jms.watchTopicAdvisories=false&jms.redeliveryPolicy.initialRedeliveryDelay=0"
                + "&jms.redeliveryPolicy.redeliveryDelay=0&jms.redeliveryPolicy.maximumRedeliveries="
                + (ATTEMPTS - 1));
    }

    @Override
    public void close() {
        broker.close();
    }

    /** The client libraries. */
    public enum Client {
        CORE,
        AMQP,
        OPENWIRE;

        /** Returns one client in the short tier, all in the long one. */
        static Stream<Client> oneOrAll() {
            return Tier.cases(1, values());
        }
    }
}
