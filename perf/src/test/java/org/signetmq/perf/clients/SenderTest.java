/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.perf.variant.Payload;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class SenderTest {
    private static final int SIZE = 300;

    /** Counts the producers that are told apart, and marks their payloads. */
    private static final class Counting implements Codec {
        private final AtomicInteger sealers = new AtomicInteger();

        @Override
        public UnaryOperator<byte[]> sealer(String address) {
            byte mark = (byte) sealers.incrementAndGet();
            return payload -> {
                byte[] marked = payload.clone();
                marked[0] = mark;
                return marked;
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Producers.class)
    void message_isPersistent_andHasItsPayloadAndReplyAddress(Producers producers) throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session();
            Queue to = session.createQueue("to");
            Queue replyTo = session.createQueue("reply");
            Sender sender = new Sender(session, load(producers), Codec.NOTHING);

            sender.send(to, "1-7", replyTo);
            sender.send(to, "1-8", null);

            try (MessageConsumer consumer = session.createConsumer(to)) {
                Message request = consumer.receive(180_000);
                assertThat(request.getBody(byte[].class)).isEqualTo(Payload.ofSize(SIZE));
                assertThat(request.getJMSCorrelationID()).isEqualTo("1-7");
                assertThat(request.getJMSReplyTo()).isEqualTo(replyTo);
                assertThat(request.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
                Message reply = consumer.receive(180_000);
                assertThat(reply.getJMSCorrelationID()).isEqualTo("1-8");
                assertThat(reply.getJMSReplyTo()).isNull();
            }
        }
    }

    @Test
    void namedProducer_belongsToItsDestination() throws Exception {
        assertThat(marks(Producers.NAMED)).containsExactly(1, 2, 1, 2);
    }

    @Test
    void anonymousProducer_mayHaveAnotherKeyForEachMessage() throws Exception {
        assertThat(marks(Producers.ANONYMOUS)).containsExactly(1, 2, 3, 4);
    }

    /** Sends to two queues by turns, and returns the marks of the messages in their order. */
    private static int[] marks(Producers producers) throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session();
            Queue[] queues = {session.createQueue("a"), session.createQueue("b")};
            Sender sender = new Sender(session, load(producers), new Counting());
            MessageConsumer[] consumers = {session.createConsumer(queues[0]), session.createConsumer(queues[1])};
            int[] marks = new int[4];
            for (int i = 0; i < marks.length; i++) {
                sender.send(queues[i % 2], "n", null);
                marks[i] = consumers[i % 2].receive(180_000).getBody(byte[].class)[0];
            }
            return marks;
        }
    }

    private static Load load(Producers producers) {
        return new Load(1, 1, SIZE, new Style(producers, -1, Integer.MAX_VALUE));
    }
}
