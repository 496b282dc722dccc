/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.testkit.EmbeddedBroker;

/** A broker with the plugin. It gives a message up after three attempts. It runs until the process ends. */
final class TestBroker {
    static final String DEAD_LETTERS = "DLQ";
    static final int ATTEMPTS = 3;

    /** The prefix of names by which a client asks for a queue. */
    static final String PREFIX = "to-queue.";

    private static @Nullable TestBroker shared;

    final Homes homes;
    private final EmbeddedBroker broker = new EmbeddedBroker("&anycastPrefix=" + PREFIX);

    private TestBroker(Homes homes) throws Exception {
        this.homes = homes;
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of(
                "home", homes.broker().toString(),
                "identity", "broker",
                "password-file", homes.broker().resolve("password").toString()));
        broker.configuration().registerBrokerPlugin(plugin);
        broker.settings()
                .setMaxDeliveryAttempts(ATTEMPTS)
                .setAutoCreateDeadLetterResources(false)
                .setDeadLetterAddress(SimpleString.of(DEAD_LETTERS));
        broker.start();
        broker.createQueue(DEAD_LETTERS);
    }

    static synchronized TestBroker shared() throws Exception {
        if (shared == null) {
            shared = new TestBroker(Homes.in(Files.createTempDirectory("signet-starter")));
        }
        return shared;
    }

    int port() {
        return broker.port();
    }

    /** Returns the properties of an application for this broker and its home, with the client of Artemis, and these. */
    String[] properties(String... others) {
        List<String> properties = new ArrayList<>(signet(homes.application()));
        properties.add(
                "spring.autoconfigure.exclude=org.amqphub.spring.boot.jms.autoconfigure.AMQP10JMSAutoConfiguration");
        properties.add("spring.artemis.mode=native");
        properties.add("spring.artemis.embedded.enabled=false"); // the libraries of the broker are there
        properties.add("spring.artemis.broker-url=" + broker.url());
        properties.add("spring.jms.template.receive-timeout=20s");
        properties.add("spring.main.banner-mode=off");
        properties.addAll(Arrays.asList(others));
        return properties.toArray(String[]::new);
    }

    /** Returns the properties of a home. */
    static List<String> signet(Path home) {
        return List.of(
                "signet.home=" + home,
                "signet.identity=alice",
                "signet.password-file=" + home.resolve("password"),
                "signet.dead-letter-addresses=" + DEAD_LETTERS);
    }

    /** Returns the number of messages on a queue, delivered and not acknowledged ones included. */
    long messages(String queue) {
        Queue found = broker.server().locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    void purge(String queue) throws Exception {
        Queue found = broker.server().locateQueue(queue);
        if (found != null) {
            found.deleteAllReferences();
        }
    }

    /** Moves all messages of a queue to an address, where they do not open. */
    void move(String queue, String address) throws Exception {
        broker.server().locateQueue(queue).moveReferences(null, SimpleString.of(address), null);
    }
}
