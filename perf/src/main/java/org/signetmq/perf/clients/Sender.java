/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.variant.Payload;

/** Sends the payload of a load. For one thread. */
final class Sender {
    private final Session session;
    private final Producers producers;
    private final Codec codec;
    private final byte[] payload;
    private final Map<String, Named> named = new HashMap<>();
    private final MessageProducer anonymous;

    /** A producer for one destination, and what it does to its payloads. */
    private record Named(MessageProducer producer, UnaryOperator<byte[]> sealer) {}

    Sender(Session session, Load load, Codec codec) throws JMSException {
        this.session = session;
        this.producers = load.style().producers();
        this.codec = codec;
        this.payload = Payload.ofSize(load.size());
        this.anonymous = session.createProducer(null);
    }

    /** Sends one message. */
    void send(Queue to, String correlation, @Nullable Queue replyTo) throws JMSException {
        if (producers == Producers.ANONYMOUS) {
            anonymous.send(
                    to,
                    message(
                            codec.sealer(to.getQueueName()),
                            correlation,
                            replyTo)); // it may have another key each time
            return;
        }
        Named sender = named.get(to.getQueueName());
        if (sender == null) {
            sender = new Named(session.createProducer(to), codec.sealer(to.getQueueName()));
            named.put(to.getQueueName(), sender);
        }
        sender.producer.send(message(sender.sealer, correlation, replyTo));
    }

    private BytesMessage message(UnaryOperator<byte[]> sealer, String correlation, @Nullable Queue replyTo)
            throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(sealer.apply(payload));
        message.setJMSCorrelationID(correlation);
        if (replyTo != null) {
            message.setJMSReplyTo(replyTo);
        }
        return message;
    }
}
