/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** The message that tests send: a text that is easy to find, with all the metadata that a client can give it. */
final class Letter {
    /** Part of each text that must not be found on a disk. */
    static final String MARK = "words that nobody may find";

    private static final long HOUR = 3_600_000;

    private Letter() {}

    /** A text that contains the mark and is no other test's. */
    static String text(String about) {
        return (MARK + " about " + about + "; ").repeat(10);
    }

    /** A text of more than a megabyte that contains the mark and is no other test's. */
    static String largeText(String about) {
        String one = text(about);
        return one.repeat(LargeBodies.LENGTH / one.length());
    }

    /** A message with metadata. */
    static Message write(Session session, String text) throws JMSException {
        Message message = writeWithoutGroup(session, text);
        message.setStringProperty("JMSXGroupID", "group one");
        message.setIntProperty("JMSXGroupSeq", 3);
        return message;
    }

    /** A message that belongs to no group: others are not redistributed in a cluster. */
    static Message writeWithoutGroup(Session session, String text) throws JMSException {
        Message message = session.createTextMessage(text);
        message.setStringProperty("colour", "blue");
        message.setIntProperty("weight", 12);
        message.setBooleanProperty("urgent", true);
        message.setJMSType("letter");
        message.setJMSCorrelationID("correlation");
        message.setJMSReplyTo(session.createQueue("replies"));
        return message;
    }

    /** Gives the producer the values that it sets on a message. */
    static MessageProducer dress(MessageProducer producer) throws JMSException {
        producer.setPriority(7);
        producer.setTimeToLive(HOUR);
        return producer;
    }

    /** The metadata is as it was sent, after this many deliveries. */
    static void assertDressed(Message received, int deliveries) throws JMSException {
        assertGroup(received);
        assertDressedWithoutGroup(received, deliveries);
    }

    /** As that, for a message that belongs to no group. */
    static void assertDressedWithoutGroup(Message received, int deliveries) throws JMSException {
        assertDressedForEver(received, deliveries);
        assertThat(received.getJMSExpiration() - System.currentTimeMillis()).isBetween(HOUR - 600_000, HOUR);
    }

    /** The same without the time to live, which the broker takes from messages that it moves, sealed or not. */
    static void assertMoved(Message received, int deliveries) throws JMSException {
        assertGroup(received);
        assertDressedForEver(received, deliveries);
        assertThat(received.getJMSExpiration()).isZero();
    }

    private static void assertGroup(Message received) throws JMSException {
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("group one");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
    }

    private static void assertDressedForEver(Message received, int deliveries) throws JMSException {
        assertThat(received.getStringProperty("colour")).isEqualTo("blue");
        assertThat(received.getIntProperty("weight")).isEqualTo(12);
        assertThat(received.getBooleanProperty("urgent")).isTrue();
        assertThat(received.getJMSType()).isEqualTo("letter");
        assertThat(received.getJMSCorrelationID()).isEqualTo("correlation");
        assertThat(received.getJMSReplyTo().toString()).contains("replies");
        assertThat(received.getJMSPriority()).isEqualTo(7);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(deliveries);
    }
}
