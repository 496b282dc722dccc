/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.Stomp;
import org.signetmq.testkit.Tier;

/** Further metadata of a message, by protocols that Jakarta Messaging does not speak. */
final class MetadataIT extends WayIn {
    @Tag(Tier.LONG)
    @Test
    void messageByOpenWire_keepsItsMetadata() throws Exception {
        String address = safeQueue();
        String text = Letter.text("OpenWire's properties");

        OpenWire.inSession(broker, session -> {
            var message = session.createTextMessage(text);
            message.setStringProperty("colour", "blue");
            message.setIntProperty("weight", 12);
            message.setBooleanProperty("urgent", true);
            message.setStringProperty("JMSXGroupID", "group one");
            message.setIntProperty("JMSXGroupSeq", 3);
            message.setJMSType("letter");
            message.setJMSCorrelationID("correlation");
            message.setJMSReplyTo(session.createQueue("replies"));
            session.createProducer(session.createQueue(address))
                    .send(message, javax.jms.DeliveryMode.PERSISTENT, 7, 3_600_000);
        });

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
    }

    @Test
    void messageByStomp_keepsItsMetadata() throws Exception {
        String address = safeQueue();
        String text = Letter.text("STOMP's headers");
        long expires = System.currentTimeMillis() + 3_600_000;
        String headers = "\ncolour:blue\nJMSXGroupID:group one\ntype:letter\ncorrelation-id:correlation"
                + "\nreply-to:replies\npriority:7\ncontent-type:text/plain\nexpires:";

        try (Stomp client = Producers.stomp(broker)) {
            client.sendText(address + headers + expires, text);
        }

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
        assertThat(stored.getStringProperty("JMSXGroupID")).isEqualTo("group one");
        assertThat(stored.getJMSType()).isEqualTo("letter");
        assertThat(stored.getJMSCorrelationID()).isEqualTo("correlation");
        assertThat(stored.getJMSReplyTo().toString()).contains("replies");
        assertThat(stored.getJMSPriority()).isEqualTo(7);
        assertThat(stored.getJMSExpiration()).isEqualTo(expires);
        assertThat(stored.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** A large one is stored as Core does it, with all that AMQP said of it as properties. */
    @Tag(Tier.LONG)
    @Test
    void largeTextByAmqp_isOfBytesToConsumersOfAmqp() throws Exception {
        String address = safeQueue();
        String text = Letter.text("size").repeat(3_000);
        JmsClient.AMQP.send(broker, address, text);

        try (JMSContext context = Producers.amqp(broker).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            Message stored = consumer.receive(180_000);

            assertThat(open(stored, address).equals(text)).isTrue();
            Letter.assertDressed(stored, 1);
        }
    }
}
