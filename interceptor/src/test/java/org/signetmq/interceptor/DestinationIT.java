/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.List;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kinds of destinations. */
final class DestinationIT extends WayIn {
    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"MQTT_3", "MQTT_5"},
            mode = EnumSource.Mode.EXCLUDE)
    void fullyQualifiedQueue_isProtectedAsItsAddress(Producers producer) throws Exception {
        String address = safeAddress();
        broker.server()
                .createQueue(QueueConfiguration.of(address + ".q")
                        .setAddress(address)
                        .setRoutingType(RoutingType.ANYCAST));
        String separator = producer.name().startsWith("STOMP") ? "\\c\\c" : "::";

        producer.send(broker, address + separator + address + ".q", Letter.text("a queue by " + producer));

        assertSealedOnce(address + "::" + address + ".q", address, Letter.text("a queue by " + producer));
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"MQTT_3", "MQTT_5"},
            mode = EnumSource.Mode.EXCLUDE)
    void acceptorsPrefix_isNoPartOfTheAddress(Producers producer) throws Exception {
        String address = safeQueue();
        String prefix = producer.name().startsWith("STOMP") ? "queue\\c//" : "queue://";

        producer.send(broker, prefix + address, Letter.text("a prefix by " + producer));

        assertSealedOnce(address, Letter.text("a prefix by " + producer));
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"STOMP_TEXT", "STOMP_BYTES"})
    void acceptorsPrefixForTopics_ofStomp_isNoPartOfTheAddress(Producers producer) throws Exception {
        String address = safeAddress();
        subscribe(address);

        producer.send(broker, "topic\\c//" + address, Letter.text("a topic by " + producer));

        assertEachSubscriptionHas(address, Letter.text("a topic by " + producer));
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void acceptorsPrefixForTopics_isNoPartOfTheAddress(JmsClient client) throws Exception {
        String address = safeAddress();
        subscribe(address);

        try (JMSContext context = client.factory(broker).createContext()) {
            context.createProducer()
                    .send(context.createTopic("topic://" + address), Letter.text("a topic by " + client));
        }

        assertEachSubscriptionHas(address, Letter.text("a topic by " + client));
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void acceptorsPrefixForTopics_ofOpenWire_isNoPartOfTheAddress() throws Exception {
        String address = safeAddress();
        subscribe(address);

        OpenWire.inSession(
                broker,
                session -> session.createProducer(session.createTopic("topic://" + address))
                        .send(session.createTextMessage(Letter.text("a topic by OpenWire"))));

        assertEachSubscriptionHas(address, Letter.text("a topic by OpenWire"));
        assertThat(sealed()).isEqualTo(1);
    }

    /** The slashes of MQTT are the dots of the broker, in prefixes too. */
    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"MQTT_3", "MQTT_5"})
    void acceptorsPrefixes_ofMqtt_areNoPartOfTheAddress(Producers producer) throws Exception {
        String queue = safeQueue();
        String topic = safeAddress();
        subscribe(topic);

        producer.send(broker, "to-queue/" + queue, Letter.text("a queue by " + producer));
        producer.send(broker, "to-topic/" + topic, Letter.text("a topic by " + producer));

        assertThat(open(take(queue), queue)).isEqualTo(Letter.text("a queue by " + producer));
        assertEachSubscriptionHas(topic, Letter.text("a topic by " + producer));
        assertThat(sealed()).isEqualTo(2);
    }

    /** Two queues that each get the messages of the topic. */
    private void subscribe(String address) throws Exception {
        for (String queue : subscriptions(address)) {
            broker.reader().subscription(queue, address);
        }
    }

    private static List<String> subscriptions(String address) {
        return List.of(address + ".first", address + ".second");
    }

    private void assertEachSubscriptionHas(String address, String text) throws Exception {
        for (String queue : subscriptions(address)) {
            assertThat(open(take(address + "::" + queue), address)).isEqualTo(text);
            assertThat(waiting(queue)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"STOMP_TEXT", "STOMP_BYTES"})
    void escapesOfStomp_arePartOfTheAddress(Producers producer) throws Exception {
        String address = "safe.with:colon.and\\backslash." + producer;
        broker.createQueue(address);

        producer.send(broker, "safe.with\\ccolon.and\\\\backslash." + producer, Letter.text("escapes"));

        assertSealedOnce(address, Letter.text("escapes"));
    }

    @Test
    void compositeDestinationOfOpenWire_isSealedForEachAddress() throws Exception {
        String one = safeQueue();
        String two = safeQueue();
        String open = openQueue();

        OpenWire.inSession(broker, session -> {
            var both = session.createQueue(one + "," + two);
            session.createProducer(both).send(session.createTextMessage(Letter.text("two places")));
            var mixed = session.createQueue(open + "," + two);
            session.createProducer(mixed).send(session.createTextMessage("in clear in one of them"));
        });

        assertThat(open(take(one), one)).isEqualTo(Letter.text("two places"));
        assertThat(open(take(two), two)).isEqualTo(Letter.text("two places"));
        assertThat(open(take(two), two)).isEqualTo("in clear in one of them");
        assertThat(take(open).getBody(String.class)).isEqualTo("in clear in one of them");
        assertThat(sealed()).isEqualTo(3);
    }

    @Test
    void compositeTopicOfOpenWire_isSealedForEachAddress() throws Exception {
        String one = safeAddress();
        String two = safeAddress();
        subscribe(one);
        subscribe(two);

        OpenWire.inSession(broker, session -> {
            var both = session.createTopic("topic://" + one + ",topic://" + two);
            session.createProducer(both).send(session.createTextMessage(Letter.text("two topics")));
        });

        assertEachSubscriptionHas(one, Letter.text("two topics"));
        assertEachSubscriptionHas(two, Letter.text("two topics"));
        assertThat(sealed()).isEqualTo(2);
    }

    @Test
    void compositeOfAQueueAndATopicOfOpenWire_isSealedForEachAddress() throws Exception {
        String queue = safeQueue();
        String topic = safeAddress();
        subscribe(topic);

        OpenWire.inSession(broker, session -> {
            var both = session.createQueue("queue://" + queue + ",topic://" + topic);
            session.createProducer(both).send(session.createTextMessage(Letter.text("two kinds")));
        });

        assertThat(open(take(queue), queue)).isEqualTo(Letter.text("two kinds"));
        assertEachSubscriptionHas(topic, Letter.text("two kinds"));
        assertThat(sealed()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "OPENWIRE", "STOMP_TEXT"})
    void addressThatIsMadeBySending_isProtected(Producers producer) throws Exception {
        String address = safeAddress();
        String prefix = producer == Producers.STOMP_TEXT ? "queue\\c//" : "";

        producer.send(broker, prefix + address, Letter.text("a new address by " + producer));

        assertSealedOnce(address, Letter.text("a new address by " + producer));
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void multicast_isSealedOnceForAllSubscriptions(JmsClient client) throws Exception {
        String address = safeAddress();
        ConnectionFactory factory = client.factory(broker);
        String text = Letter.text("news by " + client);
        try (JMSContext context = factory.createContext()) {
            context.setClientID("subscriber " + client);
            var topic = context.createTopic(address);
            var plain = context.createConsumer(topic);
            var durable = context.createDurableConsumer(topic, "durable");
            var shared = context.createSharedConsumer(topic, "shared");
            var sharedDurable = context.createSharedDurableConsumer(topic, "shared and durable");

            context.createProducer().send(topic, text);

            for (var consumer : List.of(plain, durable, shared, sharedDurable)) {
                assertThat(open(consumer.receive(180_000), address)).isEqualTo(text);
            }
            assertThat(sealed()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void durableSubscription_keepsWhatComesWhileNobodyListens(JmsClient client) throws Exception {
        String address = safeAddress();
        ConnectionFactory factory = client.factory(broker);
        try (JMSContext context = factory.createContext()) {
            context.setClientID("absent " + client);
            context.createDurableConsumer(context.createTopic(address), "durable")
                    .close();
        }

        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createTopic(address), Letter.text("absence"));
        }

        try (JMSContext context = factory.createContext()) {
            context.setClientID("absent " + client);
            var consumer = context.createDurableConsumer(context.createTopic(address), "durable");
            assertThat(open(consumer.receive(180_000), address)).isEqualTo(Letter.text("absence"));
        }
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void subscriptionOfAWildcard_getsWhatWasSealedForTheAddress() throws Exception {
        String area = safeAddress();
        try (JMSContext context = Producers.core(broker).createContext()) {
            var words = context.createConsumer(context.createTopic(area + ".*"));
            var all = context.createConsumer(context.createTopic(area + ".#"));
            var exact = context.createConsumer(context.createTopic(area + ".eu"));

            context.createProducer().send(context.createTopic(area + ".eu"), Letter.text("a place"));

            for (var consumer : List.of(words, all, exact)) {
                assertThat(open(consumer.receive(180_000), area + ".eu")).isEqualTo(Letter.text("a place"));
            }
            assertThat(sealed()).isEqualTo(1);
        }
    }

    /** A pattern cannot name one: only a pattern for all protects it. */
    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void temporaryQueue_belongsToNoPatternButTheOneOfAll(JmsClient client) throws Exception {
        try (JMSContext context = client.factory(broker).createContext()) {
            var queue = context.createTemporaryQueue();
            var consumer = context.createConsumer(queue);

            context.createProducer().send(queue, "in clear");

            Message received = consumer.receive(180_000);
            assertThat(received.getBody(String.class)).isEqualTo("in clear");
            assertThat(sealed()).isZero();
        }
    }
}
