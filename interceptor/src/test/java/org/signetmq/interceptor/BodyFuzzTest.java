/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.protocol.amqp.util.NettyWritable;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.body.AmqpSections;
import org.signetmq.interceptor.internal.large.EnvelopeDetectingStage;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.CoreParsers;
import org.signetmq.interceptor.internal.parse.InflatingStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.keystore.keys.AsymmetricOperations;

/**
 * Any body that a producer sends is read or rejected, without a private key and in memory that its length bounds. The
 * build runs the recorded inputs. To look for new ones:
 *
 * <pre>
 * JAZZER_FUZZ=1 JAZZER_MAX_DURATION=30m mvn -pl interceptor -am test -Djazzer.hooks=true \
 *     -Dtest='BodyFuzzTest#read' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>The first byte of an input says which reader gets the rest.
 */
final class BodyFuzzTest {
    private static final int MOST_INFLATED = 1 << 20;
    private static final long TIMES = 16;
    private static final long CONSTANT = 4L << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Reads a body. */
    private interface Reader {
        void read(byte[] body) throws Exception;
    }

    private static final List<Reader> READERS = List.of(
            body -> assertThat(CoreParsers.read(Message.TEXT_TYPE, ByteBuffer.wrap(body)))
                    .isNotNull(),
            body -> assertThat(CoreParsers.read(Message.OBJECT_TYPE, ByteBuffer.wrap(body)))
                    .isNotNull(),
            body -> assertThat(InflatingStage.inflate(body, MOST_INFLATED)).hasSizeLessThanOrEqualTo(MOST_INFLATED),
            BodyFuzzTest::amqpSections,
            BodyFuzzTest::amqpMessage,
            BodyFuzzTest::inParts,
            BodyFuzzTest::inflatedInParts);

    private static void amqpSections(byte[] body) {
        AmqpSections sections = new AmqpSections(body);
        assertThat(sections.onlyData().map(data -> data.length).orElse(0)).isLessThanOrEqualTo(body.length);
        for (Integer type : new Integer[] {null, 1, 3, 5}) {
            BodyContent content = sections.content("application/octet-stream", type);
            assertThat(content.payload().length).isLessThanOrEqualTo(body.length);
        }
    }

    /** A message that the broker itself cannot read does not get so far. */
    private static void amqpMessage(byte[] body) throws MessageRejectedException {
        AMQPStandardMessage message;
        try {
            message = new AMQPStandardMessage(0, body, null);
            message.reencode();
        } catch (RuntimeException unreadable) {
            return;
        }
        assertThat(AmqpBody.of(message).content()).isNotNull();
    }

    private static void inParts(byte[] body) throws Exception {
        try (EnvelopeDetectingStage judge = new EnvelopeDetectingStage(
                new EnvelopeDetectingStage.Envelopes(EnvelopeDetectingStage.Envelopes.Rule.BY_FORM, null),
                WaitingBytes.Space.UNLIMITED,
                BodyStage.discarding(),
                BodyStage.discarding())) {
            giveInParts(body, judge);
        }
    }

    private static void inflatedInParts(byte[] body) throws Exception {
        try (InflatingStage inflating = new InflatingStage(WaitingBytes.Space.UNLIMITED, BodyStage.discarding())) {
            giveInParts(body, inflating);
        }
    }

    private static void giveInParts(byte[] body, BodyStage stage) throws Exception {
        int part = body.length == 0 ? 1 : 1 + (body[body.length - 1] & 0xff) * 7;
        for (int i = 0; i < body.length; i += part) {
            stage.add(body, i, Math.min(part, body.length - i));
        }
        stage.finish();
    }

    static Stream<Arguments> inputs() throws IOException {
        byte[] text = "Z\u00fcrich".getBytes(UTF_16LE);
        ByteBuffer coreText = ByteBuffer.allocate(5 + text.length)
                .put((byte) 1)
                .putInt(text.length)
                .put(text);
        byte[] data = amqp(new Data(new Binary(text)));
        List<byte[]> bodies = List.of(
                coreText.array(),
                ByteBuffer.allocate(8).putInt(4).putInt(7).array(),
                Producers.deflated(new byte[100_000]),
                data,
                amqp(new AmqpValue("text")),
                amqp(new AmqpValue(Map.of("a", List.of(1, 2L), "b", "c"))),
                "clear".getBytes(UTF_8));
        List<Arguments> inputs = new ArrayList<>();
        for (int reader = 0; reader < READERS.size(); reader++) {
            for (byte[] body : bodies) {
                byte[] input = new byte[body.length + 1];
                input[0] = (byte) reader;
                System.arraycopy(body, 0, input, 1, body.length);
                inputs.add(Arguments.of((Object) input));
            }
        }
        return inputs.stream();
    }

    private static byte[] amqp(Section body) {
        MessageImpl message = new MessageImpl();
        message.setBody(body);
        ByteBuf buffer = Unpooled.buffer();
        message.encode(new NettyWritable(buffer));
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    @MethodSource("inputs")
    @FuzzTest(maxDuration = "10m")
    void read(byte @NotNull [] input) {
        if (input.length == 0) {
            return;
        }
        Reader reader = READERS.get((input[0] & 0xff) % READERS.size());
        byte[] body = Arrays.copyOfRange(input, 1, input.length);
        long operations = AsymmetricOperations.privateKey() + AsymmetricOperations.verifications();
        long most = TIMES * body.length + CONSTANT;
        long allocated = allocatedBy(reader, body);
        if (allocated > most) {
            allocated = Math.min(allocatedBy(reader, body), allocatedBy(reader, body)); // without loading classes
        }
        assertThat(allocated).as("bytes for %s bytes", body.length).isLessThanOrEqualTo(most);
        assertThat(AsymmetricOperations.privateKey() + AsymmetricOperations.verifications())
                .isEqualTo(operations);
    }

    private static long allocatedBy(Reader reader, byte[] body) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        try {
            reader.read(body);
        } catch (MessageRejectedException expected) {
            assertThat(expected.getMessage()).hasSizeLessThan(200);
        } catch (Exception other) {
            fail(other);
        }
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }
}
