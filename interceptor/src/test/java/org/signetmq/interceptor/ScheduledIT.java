/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import org.apache.activemq.ScheduledMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Stomp;

/** Messages for later. */
final class ScheduledIT extends WayIn {
    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void scheduledMessage_isSealedWhileItWaits(JmsClient client) throws Exception {
        String address = safeQueue();
        String text = Letter.text("a later time by " + client);

        JmsClient.send(client.factory(broker), address, (session, producer) -> {
            producer.setDeliveryDelay(1_500);
            producer.send(Letter.write(session, text));
        });

        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);
        assertNothingInClear();
        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void scheduledMessageByStomp_isSealedWhileItWaits() throws Exception {
        String address = safeQueue();
        String text = Letter.text("a later time by STOMP");

        try (Stomp client = Producers.stomp(broker)) {
            client.sendText(address + "\nAMQ_SCHEDULED_TIME:" + (System.currentTimeMillis() + 1_000), text);
        }

        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);
        assertThat(open(take(address), address)).isEqualTo(text);
    }

    @Test
    void scheduledMessageByOpenWire_isSealedWhileItWaits() throws Exception {
        String address = safeQueue();
        String text = Letter.text("a later time by OpenWire");

        OpenWire.inSession(broker, session -> {
            var message = session.createTextMessage(text);
            message.setLongProperty(ScheduledMessage.AMQ_SCHEDULED_DELAY, 1_000);
            session.createProducer(session.createQueue(address)).send(message);
        });

        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);
        assertThat(open(take(address), address)).isEqualTo(text);
    }
}
