/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.signetmq.cli.demo.Demo.Lane;

/** An Artemis broker with the plugin, configured by a broker.xml as any other is; on a free loopback port. */
record DemoBroker(EmbeddedActiveMQ embedded, Path data, String password) {
    static final String HOST = "127.0.0.1";
    static final String PRODUCER = "producer";
    static final String CONSUMER = "consumer";

    /** Starts a broker that keeps its files in the folder, beside its home. */
    static DemoBroker start(Path folder) throws Exception {
        String addresses = Lane.all().stream().map(DemoBroker::address).collect(Collectors.joining());
        String xml =
                folder.toString().replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
        Path configuration = Files.writeString(
                folder.resolve("broker.xml"),
                template().replace("@folder@", xml).replace("@addresses@", addresses));
        String password = UUID.randomUUID().toString();
        SecurityConfiguration users = new SecurityConfiguration(
                Map.of(PRODUCER, password, CONSUMER, password),
                Map.of(PRODUCER, List.of(PRODUCER), CONSUMER, List.of(CONSUMER)));
        EmbeddedActiveMQ embedded = new EmbeddedActiveMQ()
                .setConfigResourcePath(configuration.toUri().toString())
                .setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
        DemoBroker broker = new DemoBroker(embedded, folder.resolve("broker-data"), password);
        embedded.start();
        if (!embedded.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS)) {
            broker.stop();
            throw new IOException("broker: not active after 30 s");
        }
        return broker;
    }

    private static String template() throws IOException {
        try (InputStream in = DemoBroker.class.getResourceAsStream("broker.xml")) {
            return new String(Objects.requireNonNull(in, "broker.xml").readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns a queue that exists before the first message; MQTT publishes by multicast. */
    private static String address(Lane lane) {
        String routing = lane.protocol() == Lane.Protocol.MQTT ? "multicast" : "anycast";
        return "      <address name=\"%1$s\"><%2$s><queue name=\"%1$s\"/></%2$s></address>%n"
                .formatted(lane.address(), routing);
    }

    int port() {
        RemotingService remoting = embedded.getActiveMQServer().getRemotingService();
        return remoting.getAcceptor("all").getActualPort();
    }

    String url(String scheme) {
        return scheme + "://" + HOST + ":" + port();
    }

    /** Stops the broker, unless it has stopped already. */
    void stop() throws Exception {
        embedded.stop();
    }
}
