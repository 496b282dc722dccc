/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.HiddenProperties;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Cases;

/** The broker requires of messages what their policy says about producers, and hides properties. */
final class EnforcementIT extends OneBroker {
    private static final String ADDRESS = "orders";
    private static final int LARGE = 1_500_000;
    private static final String SECRET = "a-region-that-nobody-may-read";

    private static Policy at(SealingPlace where, Policy policy) {
        return policy.with(new Policy.Acceptance(Toleration.ENFORCE, where));
    }

    private static Policy hiding(Policy policy, String... names) {
        return policy.with(new Enforcement(SignatureCheck.SIGNATURE, false, false, null, List.of(names)));
    }

    private static Policy encrypting() {
        return Policy.confidentiality(ADDRESS, List.of(TestHomes.CONSUMER), KeyLimits.DEFAULT);
    }

    private byte[] sealed(PolicySet policies, Identity signer, String text) {
        ClearMessage message = ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, Producers.utf8(text));
        return homes.sealed(message, policies, signer);
    }

    @ParameterizedTest
    @EnumSource
    void clearMessage_whereTheProducerSeals_isRejectedAtOnce_smallAndLarge(Producers producer) throws Exception {
        homes.policies(1, at(SealingPlace.CLIENT, encrypting()));
        TestBroker broker = start(ADDRESS);

        for (String text : List.of("clear", "x".repeat(LARGE))) {
            long before = broker.rejected();
            try {
                producer.send(broker, ADDRESS, text);
            } catch (Exception told) {
                assertThat(told).isNotInstanceOf(IllegalStateException.class);
            }
            await().untilAsserted(() -> assertThat(broker.rejected()).isGreaterThan(before));
        }

        assertThat(broker.poll(ADDRESS)).isNull();
        broker.awaitNoLargeFiles();
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void clearMessage_whereTheProducerSeals_tellsWhy(JmsClient client) throws Exception {
        homes.policies(1, at(SealingPlace.CLIENT, encrypting()));
        TestBroker broker = start(ADDRESS);

        assertThatThrownBy(() -> client.send(broker, ADDRESS, "clear"))
                .hasMessageContaining("sealed by their producer");
    }

    /** Root's signature is good, and root is no signer of alice. */
    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void boundUser_sendsWithItsOwnSignersAlone(JmsClient client) throws Exception {
        setup.secured();
        Identity alice = homes.createUser("alice");
        Identity agent = homes.createUser("agent");
        Identity root = homes.createUser("root");
        Policy bound =
                Policy.integrity(ADDRESS).with(new Enforcement(SignatureCheck.SIGNATURE, false, true, null, List.of()));
        PolicySet unmapped = homes.policies(1, bound);
        TestBroker broker = start(ADDRESS);

        send(broker, client, sealed(unmapped, alice, "her own"));
        for (Identity other : List.of(agent, root, homes.brokerIdentity())) {
            assertThatThrownBy(() -> send(broker, client, sealed(unmapped, other, "another's")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("does not belong to user 'alice'")
                    .hasMessageContaining("bind-user of policy 'orders'");
        }
        byte[] large = homes.sealed(
                ClearMessage.of(ADDRESS, ClearMessage.Body.BYTES, new byte[0]), new byte[LARGE], unmapped, root);
        assertThatThrownBy(() -> send(broker, client, large)).isInstanceOf(JMSException.class);

        PolicySet mapped = homes.policies(PolicySet.of(
                2,
                unmapped.settings().withUsers(Map.of("alice", List.of("agent", "CN=root,O=Signet tests"))),
                List.of(bound)));
        await().until(() -> broker.state().policies().version() == 2);
        send(broker, client, sealed(mapped, agent, "by her agent"));
        send(broker, client, sealed(mapped, root, "by a name"));
        assertThatThrownBy(() -> send(broker, client, sealed(mapped, alice, "no more")))
                .hasMessageContaining("does not belong to user 'alice'");

        for (String text : List.of("her own", "by her agent", "by a name")) {
            assertThat(homes.text(broker.nextBody(ADDRESS), ADDRESS, unmapped)).isEqualTo(text);
        }
        assertThat(broker.sealed()).isZero();
    }

    @Test
    void boundUser_withoutSecurity_isNoUser() throws Exception {
        Identity alice = homes.createUser("alice");
        PolicySet policies = homes.policies(
                1,
                Policy.integrity(ADDRESS)
                        .with(new Enforcement(SignatureCheck.STRUCTURE, false, true, null, List.of())));
        TestBroker broker = start(ADDRESS);

        assertThatThrownBy(() -> send(broker, JmsClient.CORE, sealed(policies, alice, "claimed")))
                .hasMessageContaining("without an authenticated user");
    }

    private static void send(TestBroker broker, JmsClient client, byte[] bytes) throws JMSException {
        Producers.jms(client.factory(broker), ADDRESS, Producers.bytes(bytes));
    }

    private static <M extends Message> M dressed(M message) throws JMSException {
        message.setStringProperty("region", SECRET);
        message.setDoubleProperty("amount", 12.5);
        message.setBooleanProperty("rush", true);
        message.setStringProperty("colour", "blue");
        return message;
    }

    private static Map<String, Object> hidden(boolean typed) {
        return typed
                ? Map.of("region", SECRET, "amount", 12.5, "rush", true)
                : Map.of("region", SECRET, "amount", "12.5", "rush", "true");
    }

    /** The message is stored without them, and its envelope has them. */
    private void requireHidden(TestBroker broker, Map<String, Object> expected, String text) throws Exception {
        assertThat(broker.disk().filesWith(SECRET)).isEmpty();
        try (var consumer = broker.reader().session().createConsumer(ADDRESS)) {
            ClientMessage stored = consumer.receive(10_000);
            assertThat(stored.getPropertyNames())
                    .noneMatch(name -> name.toString().matches(".*\\b(region|amount|rush)\\b.*"));
            assertThat(stored.getPropertyNames().stream().map(Object::toString))
                    .anyMatch(name -> name.endsWith("colour"));
            byte[] body = QueueReader.body(stored);
            stored.individualAcknowledge();
            var opened = homes.open(body, ADDRESS);
            assertThat(new String(opened.payload(), StandardCharsets.UTF_8).equals(text))
                    .isTrue();
            String encoded =
                    opened.entityIfProtected().orElseThrow().properties().get(HiddenProperties.KEY);
            assertThat(HiddenProperties.decode(Objects.requireNonNull(encoded)))
                    .containsExactlyInAnyOrderEntriesOf(expected);
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 4,
            value = {"CORE, 10", "AMQP, 10", "CORE, 2000000", "AMQP, 300000"})
    void hiddenProperty_ofAMessageThatTheBrokerSeals_travelsInside(JmsClient client, int length) throws Exception {
        homes.policies(1, hiding(encrypting(), "region", "amount", "rush", "absent"));
        TestBroker broker = start(setup.own(), ADDRESS);
        String text = "x".repeat(length);

        Producers.jms(client.factory(broker), ADDRESS, session -> dressed(session.createTextMessage(text)));

        requireHidden(broker, hidden(true), text);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300_000})
    void hiddenProperty_ofOpenWireAndStompAndMqtt_travelsInside(int length) throws Exception {
        homes.policies(1, hiding(encrypting(), "region", "amount", "rush"));
        TestBroker broker = start(setup.own(), ADDRESS);
        String text = "y".repeat(length);

        MqttMessage message = new MqttMessage(Producers.utf8(text), 1, false, new MqttProperties());
        message.getProperties()
                .setUserProperties(List.of(
                        new UserProperty("region", SECRET),
                        new UserProperty("colour", "blue"),
                        new UserProperty("amount", "12.5"),
                        new UserProperty("rush", "true")));
        Producers.mqtt5(broker, ADDRESS, message);
        requireHidden(broker, hidden(false), text);

        OpenWire.inSession(broker, session -> {
            var sent = session.createTextMessage(text);
            sent.setStringProperty("region", SECRET);
            sent.setDoubleProperty("amount", 12.5);
            sent.setBooleanProperty("rush", true);
            sent.setStringProperty("colour", "blue");
            session.createProducer(session.createQueue(ADDRESS)).send(sent);
        });
        requireHidden(broker, hidden(true), text);

        try (var client = Producers.stomp(broker)) {
            client.sendText(ADDRESS + "\ncolour:blue\nregion:" + SECRET + "\namount:12.5\nrush:true", text);
        }
        requireHidden(broker, hidden(false), text);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void hiddenProperty_besideAnEnvelope_isRejected_smallAndLarge(JmsClient client) throws Exception {
        PolicySet policies = homes.policies(1, hiding(encrypting(), "region", "amount"));
        TestBroker broker = start(ADDRESS);
        byte[] small = sealed(policies, homes.brokerIdentity(), "text");
        byte[] large = homes.sealed(
                ClearMessage.of(ADDRESS, ClearMessage.Body.BYTES, new byte[0]),
                new byte[LARGE],
                policies,
                homes.brokerIdentity());

        for (byte[] envelope : List.of(small, large)) {
            assertThatThrownBy(() -> Producers.jms(client.factory(broker), ADDRESS, session -> {
                        var message = session.createBytesMessage();
                        message.writeBytes(envelope);
                        message.setStringProperty("region", SECRET);
                        return message;
                    }))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("property 'region'")
                    .hasMessageContaining("policy 'orders' hides it");
            send(broker, client, envelope);
            assertThat(broker.nextBody(ADDRESS)).isEqualTo(envelope);
        }
        broker.awaitNoLargeFiles();
    }

    @Test
    void hiddenProperty_thatDoesNotFit_isRejected() throws Exception {
        homes.policies(1, hiding(encrypting(), "region"));
        TestBroker broker = start(ADDRESS);

        assertThatThrownBy(() -> Producers.jms(Producers.core(broker), ADDRESS, session -> {
                    var message = session.createTextMessage("text");
                    message.setStringProperty("region", "x".repeat(20_000));
                    return message;
                }))
                .hasMessageContaining("need more than 12288 bytes");
        ClientMessage message = broker.reader().session().createMessage(true);
        message.putBytesProperty("region", new byte[3]);
        try (var producer = broker.reader().session().createProducer(ADDRESS)) {
            assertThatThrownBy(() -> producer.send(message)).hasMessageContaining("property 'region' is hidden");
        }
        assertThat(broker.poll(ADDRESS)).isNull();
    }

    /** No filter sees what lies inside the envelope. */
    @Test
    void hideOfAPropertyThatAFilterReads_isRefused_andNamesTheReader() throws Exception {
        setup.property("policy-store", "broker")
                .with(configuration -> configuration.addDivertConfiguration(
                        SafetyNetIT.divert("diverted", "elsewhere").setFilterString("region = 'amount'")));
        TestBroker broker = start("plain", "diverted", "elsewhere", "consumed");
        ControlClient admin = closing(new ControlClient(broker));
        broker.server()
                .createQueue(QueueConfiguration.of("queue-eu")
                        .setAddress("filtered")
                        .setFilterString("amount > 3 AND colour <> 'region' AND \"region\" = 'eu'"));
        broker.server()
                .createQueue(
                        QueueConfiguration.of("of-all").setAddress("wild.#").setFilterString("region IS NULL"));
        broker.server()
                .createQueue(QueueConfiguration.of("last").setAddress("last").setLastValueKey("region"));
        try (var consumer = broker.reader().session().createConsumer("consumed", "region = 'eu'")) {
            assertThat(consumer.isClosed()).isFalse();
            for (String reader : List.of(
                    "queue 'queue-eu' of address 'filtered'",
                    "queue 'of-all' of address 'wild.#'",
                    "queue 'last' of address 'last'",
                    "divert 'diverted-to-elsewhere' of address 'diverted'",
                    "a consumer of queue 'consumed' of address 'consumed'")) {
                String address = reader.replaceAll(".*address '(.*)'", "$1").replace("#", "eu");
                assertThat(admin.call("setPolicy", 0L, hiding(address, "region"))
                                .toString())
                        .as(reader)
                        .contains("rejected", "\"hide\"")
                        .contains(reader)
                        .contains("'region'");
                assertThat(admin.outcome("judgeImpact", 0L, hiding(address, "city")))
                        .isNotEqualTo("rejected");
            }
            assertThat(admin.outcome("judgeImpact", 0L, hiding("plain", "region")))
                    .isNotEqualTo("rejected");
        }
        assertThat(admin.outcome("setPolicy", 0L, hiding("consumed", "region"))).isEqualTo("changed");
        assertThat(admin.call("listFindings").toString()).doesNotContain("that a filter reads");

        broker.server()
                .createQueue(
                        QueueConfiguration.of("late").setAddress("consumed").setFilterString("region = 'eu'"));

        assertThat(admin.call("listFindings").toString())
                .contains("policy 'consumed' hides a property that a filter reads: queue 'late' of address 'consumed'");
    }

    private static String hiding(String pattern, String property) {
        return "{\"pattern\": \"" + pattern
                + "\", \"quality\": \"privacy\", \"recipients\": [\"consumer\"], \"hide\": [\"" + property + "\"]}";
    }

    /** The bridge logs in as the cluster's user, so the other broker does not take the envelope for payload. */
    @ParameterizedTest
    @ValueSource(ints = {10, LARGE})
    void envelopeOfTheProducer_overABridgeToABrokerThatSeals_isNotSealedAgain(int length) throws Exception {
        setup.secured();
        Policy policy = hiding(encrypting(), "region");
        TestBroker.Setup second = new TestBroker.Setup(homes, folder.resolve("other"))
                .secured()
                .queues(List.of(ADDRESS))
                .with(EnforcementIT::cluster)
                .property("policy-store", "broker");
        String uri = second.uri();
        homes.policies(1, at(SealingPlace.BROKER, policy)); // the second broker takes them into its journal
        TestBroker other = closing(second.start());
        setup.queues(List.of(ADDRESS)).with(configuration -> {
            cluster(configuration);
            configuration.addConnectorConfiguration("other", uri);
            configuration
                    .getBridgeConfigurations()
                    .add(new BridgeConfiguration()
                            .setName("bridge")
                            .setQueueName(ADDRESS)
                            .setForwardingAddress(ADDRESS)
                            .setUser("cluster")
                            .setPassword("secret")
                            .setStaticConnectors(List.of("other")));
        });
        PolicySet policies = homes.policies(2, at(SealingPlace.CLIENT, policy));
        TestBroker broker = closing(setup.start());
        ClearMessage head = new ClearMessage(
                ADDRESS,
                ClearMessage.Body.BYTES,
                new byte[0],
                null,
                Map.of(HiddenProperties.KEY, HiddenProperties.encode(Map.of("region", "eu"))));
        byte[] envelope = homes.sealed(head, new byte[length], policies, homes.brokerIdentity());

        send(broker, JmsClient.CORE, envelope);

        await().untilAsserted(() -> assertThat(other.waiting(ADDRESS)).isEqualTo(1));
        byte[] arrived = other.nextBody(ADDRESS);
        assertThat(arrived).isEqualTo(envelope);
        assertThat(broker.sealed() + other.sealed()).isZero();
        assertThat(homes.open(arrived, ADDRESS, policies).payload()).hasSize(length);
    }

    private static void cluster(Configuration configuration) {
        configuration.setClusterUser("cluster").setClusterPassword("secret");
    }

    /** Partner and tenant have good keys, and the envelope is good elsewhere. */
    @Test
    void envelopeThatIsGoodElsewhere_isRejected() throws Exception {
        Identity partner = homes.createUser("partner");
        homes.create(homes.broker, "tenant-b");
        Policy orders = Policy.integrity(ADDRESS)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("broker"), CertificateInclusion.INCLUDED));
        PolicySet policies = homes.policies(
                1,
                at(SealingPlace.CLIENT, orders),
                at(SealingPlace.CLIENT, Policy.integrity("prices")),
                at(SealingPlace.CLIENT, Policy.privacy("tenant.a", List.of(TestHomes.CONSUMER))),
                at(SealingPlace.CLIENT, Policy.privacy("tenant.b", List.of("tenant-b"))));
        TestBroker broker = start(ADDRESS, "prices", "tenant.a", "tenant.b");
        ClearMessage prices = ClearMessage.of("prices", ClearMessage.Body.TEXT, Producers.utf8("1"));
        ClearMessage ofB = ClearMessage.of("tenant.b", ClearMessage.Body.TEXT, Producers.utf8("1"));
        byte[] byPartner = homes.sealed(prices, policies, partner);
        byte[] byBroker = homes.sealed(prices, policies, homes.brokerIdentity());
        byte[] signedForOrders = homes.sealed(
                ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, Producers.utf8("1")),
                PolicySet.of(1, policies.settings(), List.of(Policy.integrity(ADDRESS))),
                partner);
        byte[] otherTenant = homes.sealed(ofB, policies, homes.brokerIdentity());

        requireRejected(broker, ADDRESS, byBroker, "sealed for address");
        requireRejected(broker, ADDRESS, signedForOrders, "not on the list of policy 'orders'");
        requireRejected(broker, "tenant.a", otherTenant, "other recipients than those of policy 'tenant.a'");
        Producers.jms(Producers.core(broker), "prices", Producers.bytes(byPartner));
        assertThat(broker.nextBody("prices")).isEqualTo(byPartner);
        Producers.jms(Producers.core(broker), "tenant.b", Producers.bytes(otherTenant));
        assertThat(broker.nextBody("tenant.b")).isEqualTo(otherTenant);
    }

    private static void requireRejected(TestBroker broker, String address, byte[] envelope, String reason) {
        for (JmsClient client : JmsClient.values()) {
            assertThatThrownBy(() -> Producers.jms(client.factory(broker), address, Producers.bytes(envelope)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining(reason);
        }
    }
}
