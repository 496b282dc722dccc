/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.HAPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** A primary broker and the backup that it replicates to. */
final class ReplicationIT {
    private static final String OTHER = "other";
    private static final String SELF = "self";
    private static final String NO_BACKUP = "no backup has reported";

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @TempDir
    private Path folder;

    private TestBroker primary;
    private TestBroker backup;

    @BeforeEach
    void start() throws Exception {
        TestBroker.Setup first = new TestBroker.Setup(folder);
        first.homes().policies(policies);
        TestBroker.Setup second = new TestBroker.Setup(first.homes(), folder.resolve("backup-data")).backup();
        primary = first.with(configuration ->
                        pair(configuration, List.of(first.uri(), second.uri()), new ReplicatedPolicyConfiguration()))
                .start();
        new QueueReader(primary).queue("orders").close();
        backup = second.with(configuration ->
                        pair(configuration, List.of(second.uri(), first.uri()), new ReplicaPolicyConfiguration()))
                .start();
        awaitReplica();
    }

    static void pair(Configuration configuration, List<String> uris, HAPolicyConfiguration policy) throws Exception {
        configuration.addConnectorConfiguration(SELF, uris.get(0));
        configuration.addConnectorConfiguration(OTHER, uris.get(1));
        configuration.addClusterConfiguration(new ClusterConnectionConfiguration()
                .setName("pair")
                .setConnectorName(SELF)
                .setRetryInterval(100)
                .setStaticConnectors(List.of(OTHER)));
        configuration.setHAPolicyConfiguration(policy);
    }

    @AfterEach
    void stop() throws Exception {
        backup.close();
        primary.close();
        assertThat(primary.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(backup.disk().filesWith(LargeBodies.MARK)).isEmpty();
    }

    private void awaitReplica() {
        Awaitility.await().until(() -> backup.server().isReplicaSync());
    }

    private void failOver() throws Exception {
        primary.crash();
        assertThat(backup.server().waitForActivation(60, TimeUnit.SECONDS)).isTrue();
        Awaitility.await().until(backup.server()::isActive);
    }

    private static String findings(TestBroker broker) throws Exception {
        try (ControlClient anyone = new ControlClient(broker)) {
            return anyone.call("listFindings").toString();
        }
    }

    private String opened(byte[] stored) {
        return primary.homes.text(stored, "orders", policies);
    }

    private void assertOpens(byte[] stored) {
        assertThat(opened(stored).equals(LargeBodies.TEXT)).isTrue();
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void largeMessage_isSealedOnTheBackupsDisk_andOpensAfterFailover(Producers producer) throws Exception {
        try (DiskWatch watch = new DiskWatch(backup.disk(), LargeBodies.MARK)) {
            producer.send(primary, "orders", LargeBodies.TEXT);

            Path copy = Awaitility.await()
                    .until(() -> backup.disk().largeFiles(), files -> files.size() == 1)
                    .get(0);
            Path original = primary.disk().largeFiles().get(0);
            assertThat(copy).hasSameBinaryContentAs(original);
            Awaitility.await().until(() -> !findings(primary).contains(NO_BACKUP));
            assertOpens(producer == Producers.AMQP ? contentOfAmqp(copy) : Files.readAllBytes(copy));
            failOver();
            Awaitility.await().until(() -> findings(backup).contains(NO_BACKUP));
            assertThat(watch.seen()).isEmpty();
        }

        try (QueueReader reader = new QueueReader(backup)) {
            assertOpens(reader.nextBody("orders"));
            assertThat(reader.poll("orders")).isNull();
        }
        assertThat(primary.sealed()).isEqualTo(1);
        assertThat(backup.sealed()).isZero();
    }

    /** The file of a large AMQP message is the whole message, encoded. */
    private static byte[] contentOfAmqp(Path file) throws IOException {
        byte[] encoded = Files.readAllBytes(file);
        MessageImpl message = new MessageImpl();
        message.decode(encoded, 0, encoded.length);
        return ((Data) message.getBody()).getValue().getArray();
    }

    /** Messages that were there before the backup are brought to it as files. */
    @Tag(Tier.LONG)
    @Test
    void largeMessageFromBeforeTheBackup_opensAfterFailover() throws Exception {
        backup.close();
        Producers.CORE.send(primary, "orders", LargeBodies.TEXT);
        TestBroker.Setup late = new TestBroker.Setup(primary.homes, folder.resolve("late-data")).backup();
        backup = late.with(configuration ->
                        pair(configuration, List.of(late.uri(), primary.uri()), new ReplicaPolicyConfiguration()))
                .start();
        awaitReplica();

        failOver();

        try (QueueReader reader = new QueueReader(backup)) {
            assertOpens(reader.nextBody("orders"));
        }
    }

    @Tag(Tier.LONG)
    @Test
    void newPrimary_protectsLargeMessages() throws Exception {
        failOver();

        for (Producers producer : Producers.values()) {
            producer.send(backup, "orders", LargeBodies.TEXT);
            try (QueueReader reader = new QueueReader(backup)) {
                assertOpens(reader.nextBody("orders"));
            }
        }
        assertThat(backup.state().largeMessages().mode()).isEqualTo(PluginStatus.LargeMessages.Mode.PROTECTED);
    }

    /**
     * The primary ends while a stream is on its way. The confirmed messages before it are there, and nothing of the
     * stream.
     */
    @Tag(Tier.LONG)
    @Test
    void streamCutByAFailover_isNotDelivered_andNothingConfirmedIsLost() throws Exception {
        Producers.CORE.send(primary, "orders", LargeBodies.TEXT);
        Producers.AMQP.send(primary, "orders", "small");
        String both = "(" + primary.uri() + "," + backup.uri() + ")";
        try (ServerLocator locator = ActiveMQClient.createServerLocator(
                        both + "?ha=true&reconnectAttempts=100&retryInterval=100&callTimeout=180000");
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            Throwable noticed = catchThrowable(() -> session.createProducer("orders")
                    .send(message(
                            session, new InterruptedStream(Producers.utf8(LargeBodies.text(2_900_000)), this::cut))));

            assertThat(noticed).isNotNull();
        }

        Producers.jms(
                new ActiveMQConnectionFactory(both + "?ha=true&reconnectAttempts=100&retryInterval=100"),
                "orders",
                session -> session.createTextMessage(LargeBodies.TEXT));
        try (QueueReader reader = new QueueReader(backup)) {
            assertOpens(reader.nextBody("orders"));
            assertThat(opened(reader.nextBody("orders"))).isEqualTo("small");
            assertOpens(reader.nextBody("orders"));
            assertThat(reader.poll("orders")).isNull();
        }
        assertThat(LargeBodies.openMessages(backup)).isZero();
        backup.awaitNoLargeFiles();
    }

    private void cut() throws IOException {
        Awaitility.await()
                .until(() -> LargeBodies.openMessages(primary) == 1
                        && backup.disk().largeFiles().size() == 2);
        assertThat(backup.disk().filesWith(LargeBodies.MARK)).isEmpty();
        try {
            failOver();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static ClientMessage message(ClientSession session, InterruptedStream body) {
        ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
        message.setBodyInputStream(body);
        return message;
    }
}
