/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.DivertConfiguration;
import org.apache.activemq.artemis.core.server.Queue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** Clients receive the policies in force at SIGNET.POLICIES, to which nobody but the plugin sends. */
final class PolicyDistributionIT extends OneBroker {
    private static final String POLICIES = "SIGNET.POLICIES";
    private static final long MOST_MILLIS = 2000;

    private static PolicySet set(long version, Policy... policies) {
        return PolicySet.of(version, UnmatchedAddress.PASS, List.of(policies));
    }

    private static PolicySet parsed(byte[] body) {
        return PolicyFile.parse(SignedPolicies.open(body, List.of()).json(), PartyValidator.acceptAll());
    }

    /** A consumer of one client library. */
    private interface Subscriber {
        /** Returns the body of the next message. */
        byte[] next(long millis) throws Exception;
    }

    private interface Following {
        void with(Subscriber subscriber) throws Exception;
    }

    private static void follow(TestBroker broker, Library way, Following work) throws Exception {
        if (way == Library.OPENWIRE) {
            OpenWire.inSession(broker, session -> {
                var consumer = session.createConsumer(session.createQueue(POLICIES));
                try {
                    work.with(millis -> {
                        javax.jms.Message message = consumer.receive(millis);
                        assertThat(message).isInstanceOf(javax.jms.BytesMessage.class);
                        javax.jms.BytesMessage bytes = (javax.jms.BytesMessage) message;
                        byte[] body = new byte[(int) bytes.getBodyLength()];
                        bytes.readBytes(body);
                        return body;
                    });
                } catch (javax.jms.JMSException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            return;
        }
        JmsClient client = way == Library.CORE ? JmsClient.CORE : JmsClient.AMQP;
        try (Connection connection = client.factory(broker).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(POLICIES))) {
            connection.start();
            work.with(millis -> {
                BytesMessage bytes = (BytesMessage) consumer.receive(millis);
                assertThat(bytes).isNotNull();
                byte[] body = new byte[(int) bytes.getBodyLength()];
                bytes.readBytes(body);
                return body;
            });
        }
    }

    enum Library {
        CORE,
        AMQP,
        OPENWIRE
    }

    private static Queue queue(TestBroker broker) {
        return broker.server().locateQueue(SimpleString.of(POLICIES));
    }

    private static long count(TestBroker broker) {
        Queue queue = queue(broker);
        return queue == null ? 0 : queue.getMessageCount() + queue.getDeliveringCount();
    }

    private static void awaitPosted(TestBroker broker) {
        Awaitility.await().until(() -> count(broker) == 1);
    }

    @ParameterizedTest
    @EnumSource(Library.class)
    void consumer_receivesThePolicies_andEachChangeWithinTwoSeconds(Library way) throws Exception {
        homes.policies(1, Policy.integrity("#"));
        TestBroker broker = start();
        awaitPosted(broker);
        follow(broker, way, subscriber -> {
            assertThat(parsed(subscriber.next(MOST_MILLIS)).version()).isEqualTo(1);
            for (long version = 2; version < 5; version++) {
                PolicySet changed = homes.policies(version, Policy.integrity("#"), Policy.integrity("v" + version));
                assertThat(parsed(subscriber.next(MOST_MILLIS))).isEqualTo(changed);
            }
        });
        follow(
                broker,
                way,
                late -> assertThat(parsed(late.next(MOST_MILLIS)).version()).isEqualTo(4));
        awaitPosted(broker);
        assertThat(broker.sealed()).isZero();
    }

    static Stream<Library> waysOfLarge() {
        return Tier.cases(1, Library.OPENWIRE, Library.AMQP, Library.CORE);
    }

    @ParameterizedTest
    @MethodSource("waysOfLarge")
    void largeSet_arrivesWhole(Library way) throws Exception {
        PolicySet large = homes.policies(
                7,
                IntStream.range(0, 9000)
                        .mapToObj(i -> Policy.integrity("orders.zürich." + i))
                        .toArray(Policy[]::new));
        assertThat(PolicyFile.bytes(large).length).isGreaterThan(1_000_000);
        TestBroker broker = start(setup.own());
        awaitPosted(broker);
        follow(broker, way, subscriber -> {
            assertThat(parsed(subscriber.next(10_000))).isEqualTo(large);
            homes.policies(8, Policy.integrity("orders"));
            assertThat(parsed(subscriber.next(MOST_MILLIS)).version()).isEqualTo(8);
        });
        broker.awaitNoLargeFiles();
    }

    @Test
    void signedSet_isDistributedWithItsSignature() throws Exception {
        String signed = SignedPolicies.sign(
                PolicyFile.format(set(3, Policy.integrity("orders"))),
                homes.create(new Home(folder.resolve("desk")), "officer"),
                Clock.systemUTC());
        new WholeFile(homes.broker.policies()).write(signed.getBytes(UTF_8), WholeFile.READABLE);
        TestBroker broker = start();
        awaitPosted(broker);
        follow(
                broker,
                Library.CORE,
                subscriber -> assertThat(new String(subscriber.next(MOST_MILLIS), UTF_8))
                        .isEqualTo(signed));
    }

    @Test
    void sendsOfClients_areRefused() throws Exception {
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start("elsewhere");
        awaitPosted(broker);
        for (Producers producer : List.of(Producers.CORE, Producers.AMQP, Producers.OPENWIRE)) {
            for (String address : List.of(POLICIES, POLICIES + "::" + POLICIES)) {
                assertThatThrownBy(() -> producer.send(broker, address, "forged"))
                        .as("%s to %s", producer, address)
                        .isInstanceOf(Exception.class);
            }
        }
        assertThatThrownBy(() -> Producers.CORE.send(broker, POLICIES, "x".repeat(300_000)))
                .hasMessageContaining("Signet alone sends");
        QueueControl control =
                (QueueControl) broker.server().getManagementService().getUntypedControl("queue." + POLICIES);
        assertThatThrownBy(() -> control.sendMessage(Map.of(), 3, "forged", true, null, null))
                .isInstanceOf(Exception.class);
        assertThat(count(broker)).isEqualTo(1);
        follow(
                broker,
                Library.CORE,
                subscriber -> assertThat(parsed(subscriber.next(MOST_MILLIS)).version())
                        .isEqualTo(1));
    }

    @Test
    void messagesOfOtherAddresses_doNotComeIn() throws Exception {
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start("elsewhere");
        awaitPosted(broker);
        Producers.CORE.send(broker, "elsewhere", "forged");
        QueueControl control =
                (QueueControl) broker.server().getManagementService().getUntypedControl("queue.elsewhere");
        try {
            control.moveMessages(null, POLICIES);
        } catch (Exception refused) {
            // as wanted
        }
        assertThat(count(broker)).isEqualTo(1);
        broker.server()
                .deployDivert(new DivertConfiguration()
                        .setName("copies")
                        .setAddress("elsewhere")
                        .setForwardingAddress(POLICIES));
        try {
            Producers.CORE.send(broker, "elsewhere", "forged");
        } catch (Exception refused) {
            // as wanted
        }
        assertThat(count(broker)).isEqualTo(1);
        follow(
                broker,
                Library.AMQP,
                subscriber -> assertThat(parsed(subscriber.next(MOST_MILLIS)).version())
                        .isEqualTo(1));
    }

    @Test
    void restart_keepsOneMessage_andPurgeOrRemovalIsMended() throws Exception {
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start(setup.own());
        awaitPosted(broker);
        homes.policies(2, Policy.integrity("orders"));
        follow(
                broker,
                Library.CORE,
                subscriber -> Awaitility.await()
                        .until(() -> parsed(subscriber.next(MOST_MILLIS)).version() == 2));
        broker.close();
        TestBroker again = start(new TestBroker.Setup(homes, broker.data));
        Awaitility.await()
                .untilAsserted(() -> follow(
                        again,
                        Library.CORE,
                        subscriber -> assertThat(
                                        parsed(subscriber.next(MOST_MILLIS)).version())
                                .isEqualTo(2)));
        awaitPosted(again);
        assertThat(queue(again).isNonDestructive() && queue(again).isLastValue())
                .isTrue();

        queue(again).deleteAllReferences();
        awaitPosted(again);
        again.server().destroyQueue(SimpleString.of(POLICIES), null, false, true);
        awaitPosted(again);
    }

    @Test
    void notReady_keepsTheLastMessage() throws Exception {
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start(setup.own());
        awaitPosted(broker);
        broker.close();
        Files.writeString(homes.broker.policies(), "{");
        TestBroker again = start(new TestBroker.Setup(homes, broker.data));
        assertThat(again.state().reason()).isNotNull();
        follow(
                again,
                Library.CORE,
                subscriber -> assertThat(parsed(subscriber.next(MOST_MILLIS)).version())
                        .isEqualTo(1));
    }

    /** A client was there first, with a queue and with a message. */
    @Test
    void queueOfAnother_isReplaced() throws Exception {
        TestBroker bare = start(setup.own().bare());
        bare.server().createQueue(QueueConfiguration.of(POLICIES).setRoutingType(RoutingType.ANYCAST));
        Producers.CORE.send(bare, POLICIES, "forged");
        bare.close();
        homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start(new TestBroker.Setup(homes, bare.data));
        Awaitility.await().until(() -> queue(broker) != null && queue(broker).isLastValue() && count(broker) == 1);
        List<Long> seen = new ArrayList<>();
        follow(
                broker,
                Library.CORE,
                subscriber -> seen.add(parsed(subscriber.next(MOST_MILLIS)).version()));
        assertThat(seen).containsExactly(1L);
    }

    @Test
    void policyForTheAddress_isRefused() {
        assertThatThrownBy(() -> set(1, Policy.integrity(POLICIES)))
                .hasMessageContaining("the policies that clients receive");
    }
}
