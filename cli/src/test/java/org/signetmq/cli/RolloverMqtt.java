/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.eclipse.paho.client.mqttv3.IMqttMessageListener;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.IdentityWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Mqtt3;

/** MQTT clients without Signet. The subscribers open what they get as docs/clients.md shows it. */
final class RolloverMqtt implements RolloverLane {
    private static final int AT_LEAST_ONCE = 1;
    private static final int MOST_IN_FLIGHT = 1000;

    private final GuardedBroker broker;
    private final Queue<Throwable> lost;
    private final IdentityWatch keys;
    private final Opener opener;
    private final List<MqttClient> clients = new ArrayList<>();

    /** The keys of the last envelope. */
    private volatile Keys seen = new Keys("", "");

    /**
     * Keys by their identifiers.
     *
     * @param recipient as in an envelope
     */
    record Keys(String recipient, String signer) {}

    /**
     * Makes an opener that takes in the keys of a home.
     *
     * @param lost gets the exceptions of connections
     */
    RolloverMqtt(GuardedBroker broker, Home home, PolicySet policies, Queue<Throwable> lost) {
        this.broker = broker;
        this.lost = lost;
        HomeReader files = home.reader();
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray())) {
            this.keys = files.watchIdentity("alice", password);
        }
        this.opener = Opener.create(new Opener.Keys(keys, files, files), () -> policies);
    }

    @Override
    public String protocol() {
        return "mqtt";
    }

    /** Makes the queue of a subscriber, and leaves. */
    @Override
    public void prepare(String address) throws MqttException {
        try (MqttClient client = connect(address, (topic, message) -> {})) {
            client.subscribe(Mqtt3.topic(address), AT_LEAST_ONCE);
            client.disconnect();
        }
    }

    @Override
    public RolloverFlow.Sending producer(String address) throws MqttException {
        MqttClient client = connect(MqttClient.generateClientId(), (topic, message) -> {});
        clients.add(client);
        return text ->
                client.publish(Mqtt3.topic(address), text.getBytes(StandardCharsets.UTF_8), AT_LEAST_ONCE, false);
    }

    @Override
    public void consume(String address, RolloverFlow flow) throws MqttException {
        clients.add(connect(address, (topic, message) -> flow.receive(() -> text(address, message))));
    }

    private String text(String address, MqttMessage message) {
        assertThat(message.isDuplicate()).isFalse();
        byte[] envelope = message.getPayload();
        OpenedMessage opened = opener.open(envelope, address);
        assertThat(opened.signer()).hasValue("CN=broker");
        seen = new Keys(
                EnvelopeDescription.of(envelope).recipients().get(0).identifier(),
                idOf(Objects.requireNonNull(opened.signerCertificate())));
        return new String(opened.payload(), StandardCharsets.UTF_8);
    }

    Keys seen() {
        return seen;
    }

    static String idOf(X509Certificate certificate) {
        return "ski:" + KeyIdentifier.ofKey(certificate);
    }

    private MqttClient connect(String id, IMqttMessageListener arrival) throws MqttException {
        MqttConnectOptions options = Mqtt3.user(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
        options.setCleanSession(false);
        options.setMaxInflight(MOST_IN_FLIGHT); // the client frees a place only some time after it said so
        MqttClient client = Mqtt3.client(broker.url(), id);
        client.setCallback(Mqtt3.callback(arrival, lost::add));
        client.connect(options);
        return client;
    }

    @Override
    public void close() throws MqttException {
        for (MqttClient client : clients) {
            Mqtt3.end(client);
        }
        opener.close();
        keys.close();
    }
}
