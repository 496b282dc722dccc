/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;
import java.util.Map;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.testkit.EmbeddedBroker;

/**
 * A broker with three delivery attempts and then the queue DLQ. Expired messages go to another queue. It makes all
 * addresses but one.
 */
public final class DeadLetterBroker implements Broker {
    private final EmbeddedBroker broker = new EmbeddedBroker("&anycastPrefix=to-queue.&multicastPrefix=to-topic.");

    /**
     * Starts it; called by reflection.
     *
     * @param data where the broker writes; null for memory alone
     * @param home of the plugin, with the identity bob; null for a broker without the plugin
     */
    public DeadLetterBroker(@Nullable Path data, @Nullable Path home) throws Exception {
        if (data != null) {
            broker.storingIn(data);
        }
        if (home != null) {
            SignetPlugin plugin = new SignetPlugin();
            plugin.init(Map.of(
                    "home", home.toString(),
                    "identity", "bob",
                    "password-file", home.resolve(Keys.PASSWORD_FILE).toString()));
            broker.configuration().registerBrokerPlugin(plugin);
        }
        broker.configuration().setMessageExpiryScanPeriod(100);
        broker.settings()
                .setMaxDeliveryAttempts(TestBroker.ATTEMPTS)
                .setAutoCreateDeadLetterResources(false)
                .setDeadLetterAddress(SimpleString.of(TestBroker.DEAD_LETTERS))
                .setExpiryAddress(SimpleString.of(TestBroker.EXPIRED));
        broker.configuration()
                .addAddressSetting(
                        "refused.#",
                        new AddressSettings().setAutoCreateAddresses(false).setAutoCreateQueues(false));
        start();
    }

    private void start() throws Exception {
        broker.start();
        broker.createQueue(TestBroker.DEAD_LETTERS);
        broker.createQueue(TestBroker.EXPIRED);
    }

    @Override
    public int port() {
        return broker.port();
    }

    @Override
    public long messages(String queue) {
        Queue found = broker.server().locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    @Override
    public long delivering(String queue) {
        Queue found = broker.server().locateQueue(queue);
        return found == null ? 0 : found.getDeliveringCount();
    }

    @Override
    public void deleteMessages(String queue) {
        try {
            broker.server().locateQueue(queue).deleteAllReferences();
        } catch (Exception e) {
            throw new AssertionError("broker: does not delete", e);
        }
    }

    @Override
    public void putAmqp(String address, byte[] sections) {
        ActiveMQServer server = broker.server();
        AMQPStandardMessage message = new AMQPStandardMessage(0, sections, null);
        message.setMessageID(server.getStorageManager().generateID());
        message.setAddress(address);
        try {
            server.getPostOffice().route(message, true);
        } catch (Exception e) {
            throw new AssertionError("broker: does not route", e);
        }
    }

    @Override
    public void keepLast(String queue) {
        try {
            if (broker.server().locateQueue(queue) != null) {
                broker.server().destroyQueue(SimpleString.of(queue), null, false, true);
            }
            broker.server()
                    .createQueue(QueueConfiguration.of(queue)
                            .setRoutingType(RoutingType.ANYCAST)
                            .setLastValue(true)
                            .setNonDestructive(true));
        } catch (Exception e) {
            throw new AssertionError("broker: makes no queue", e);
        }
    }

    @Override
    public void restart() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(DeadLetterBroker.class.getClassLoader());
        try {
            broker.close();
            start();
        } catch (Exception e) {
            throw new AssertionError("broker: does not start again", e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() {
        broker.close();
    }
}
