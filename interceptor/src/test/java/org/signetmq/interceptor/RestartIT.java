/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.EnumMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.Tier;

/** The state that a broker finds when it starts: bindings and messages of the time before. */
final class RestartIT extends WayIn {
    private static final String DIVERTED = "safe.diverted";
    private static final String COPIED = "safe.copied";

    @Override
    void configure(Configuration configuration) {
        configuration.addDivertConfiguration(SafetyNetIT.divert(DIVERTED, COPIED));
    }

    @Test
    void messagesOfAllProtocols_openAfterARestart() throws Exception {
        Map<Producers, String> addresses = new EnumMap<>(Producers.class);
        for (Producers producer : Producers.values()) {
            String address = safeQueue();
            addresses.put(producer, address);
            producer.send(broker, address, Letter.text("before, by " + producer));
        }

        restart();

        for (Map.Entry<Producers, String> entry : addresses.entrySet()) {
            Producers producer = entry.getKey();
            String address = entry.getValue();
            producer.send(broker, address, Letter.text("after, by " + producer));
            assertThat(open(take(address), address)).isEqualTo(Letter.text("before, by " + producer));
            assertThat(open(take(address), address)).isEqualTo(Letter.text("after, by " + producer));
        }
        assertThat(sealed()).isEqualTo(Producers.values().length);
    }

    @Test
    void durableSubscriptionsAndDiverts_replayed_getSealedMessages() throws Exception {
        queueOnce(COPIED);
        try (JMSContext context = subscriber()) {
            context.createDurableConsumer(context.createTopic(DIVERTED), "durable")
                    .close();
            context.createProducer().send(context.createTopic(DIVERTED), Letter.text("before"));
        }

        restart();

        try (JMSContext context = subscriber()) {
            context.createProducer().send(context.createTopic(DIVERTED), Letter.text("after"));
            var consumer = context.createDurableConsumer(context.createTopic(DIVERTED), "durable");
            assertThat(open(consumer.receive(180_000), DIVERTED)).isEqualTo(Letter.text("before"));
            assertThat(open(consumer.receive(180_000), DIVERTED)).isEqualTo(Letter.text("after"));
        }
        assertThat(open(take(COPIED), DIVERTED)).isEqualTo(Letter.text("before"));
        assertSealedOnce(COPIED, DIVERTED, Letter.text("after"));
    }

    private JMSContext subscriber() {
        JMSContext context = Producers.core(broker).createContext();
        context.setClientID("subscriber");
        return context;
    }

    @Test
    void idsOfDuplicates_replayed_stillDrop() throws Exception {
        String address = safeQueue();
        sendWith("_AMQ_DUPL_ID", "known", address, "first");

        restart();
        sendWith("_AMQ_DUPL_ID", "known", address, "second");

        assertThat(open(take(address), address)).isEqualTo(Letter.text("first"));
        assertThat(waiting(address)).isZero();
    }

    @Test
    void lastValueQueue_replayed_replacesWhatItHad() throws Exception {
        String address = safeAddress();
        broker.server()
                .createQueue(QueueConfiguration.of(address)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setLastValue(true));
        sendWith("_AMQ_LVQ_NAME", "key", address, "old");

        restart();
        sendWith("_AMQ_LVQ_NAME", "key", address, "new");

        assertThat(open(take(address), address)).isEqualTo(Letter.text("new"));
        assertThat(waiting(address)).isZero();
    }

    @Tag(Tier.LONG)
    @Test
    void scheduledMessage_replayed_comesInTime() throws Exception {
        String address = safeQueue();
        try (JMSContext context = Producers.core(broker).createContext()) {
            context.createProducer().setDeliveryDelay(2_500).send(context.createQueue(address), Letter.text("later"));
        }

        restart();
        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);

        assertThat(open(take(address), address)).isEqualTo(Letter.text("later"));
    }

    private void sendWith(String property, String value, String address, String about) throws Exception {
        try (JMSContext context = Producers.core(broker).createContext()) {
            Message message = context.createTextMessage(Letter.text(about));
            message.setStringProperty(property, value);
            context.createProducer().send(context.createQueue(address), message);
        }
    }
}
