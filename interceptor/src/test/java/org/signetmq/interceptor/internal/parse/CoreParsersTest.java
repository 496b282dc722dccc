/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.Producers;
import org.signetmq.interceptor.internal.parse.BodyStage.ClearBodyStage;

/** A body gives the same content, or the same rejection, in parts of any length. */
final class CoreParsersTest {
    private static final long SEED = 20_170_301;

    /** More than the buffer of a stream, with characters of one to four bytes; an odd part cuts each of them. */
    private static final String LONG_TEXT = "a\u00fc\u20ac\ud83d\udc4b".repeat(5000);

    /** Keeps the payload of a body. */
    private static final class Collected implements ClearBodyStage {
        private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
        private ClearMessage.@Nullable Body kind;

        @Override
        public void begin(ClearMessage.Body body) {
            kind = kind == null ? body : kind;
        }

        @Override
        public void add(byte[] bytes, int offset, int length) {
            payload.write(bytes, offset, length);
        }

        @Override
        public void finish() {}

        BodyContent content() {
            return BodyContent.of(Objects.requireNonNull(kind), payload.toByteArray());
        }
    }

    static Stream<Arguments> bodies() {
        List<Arguments> bodies = new ArrayList<>();
        for (String text :
                List.of("", "a", "gr\u00fc\u00dfe \ud83d\udc4b", LONG_TEXT, "a" + LONG_TEXT, "\u20ac".repeat(20_000))) {
            byte[] whole = text(text);
            bodies.add(Arguments.of(Message.TEXT_TYPE, whole));
            damaged(whole).forEach(body -> bodies.add(Arguments.of(Message.TEXT_TYPE, body)));
        }
        bodies.add(Arguments.of(Message.TEXT_TYPE, new byte[] {0}));
        for (int length : new int[] {0, 1, 1000}) {
            byte[] whole = object(new byte[length]);
            bodies.add(Arguments.of(Message.OBJECT_TYPE, whole));
            damaged(whole).forEach(body -> bodies.add(Arguments.of(Message.OBJECT_TYPE, body)));
        }
        for (byte type :
                new byte[] {Message.BYTES_TYPE, Message.MAP_TYPE, Message.STREAM_TYPE, Message.DEFAULT_TYPE, 77}) {
            bodies.add(Arguments.of(type, new byte[0]));
            bodies.add(Arguments.of(type, new byte[] {1, 2, 3}));
        }
        return bodies.stream();
    }

    /** Shorter, longer, with another length or another first byte. */
    private static List<byte[]> damaged(byte[] whole) {
        List<byte[]> damaged = new ArrayList<>();
        for (int length = 0; length < Math.min(whole.length, 8); length++) {
            damaged.add(Arrays.copyOf(whole, length));
        }
        damaged.add(Arrays.copyOf(whole, whole.length - 1));
        damaged.add(Arrays.copyOf(whole, whole.length + 1));
        damaged.add(Arrays.copyOf(whole, whole.length + 2));
        for (int i = 0; i < 5; i++) {
            byte[] other = whole.clone();
            other[Math.min(i, other.length - 1)] ^= 0x41;
            damaged.add(other);
        }
        return damaged;
    }

    /** Encodes half of a pair as it is, which the charset of the JDK does not. */
    private static byte[] text(String text) {
        int length = Character.BYTES * text.length();
        ByteBuffer body = ByteBuffer.allocate(5 + length).put((byte) 1).putInt(length);
        body.slice().order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().put(text);
        return body.array();
    }

    private static byte[] object(byte[] serialized) {
        return ByteBuffer.allocate(4 + serialized.length)
                .putInt(serialized.length)
                .put(serialized)
                .array();
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void body_inPartsOfAnyLength_isReadAsFromMemory(byte type, byte[] body) {
        String whole = inParts(type, body, List.of(body.length));

        if (!whole.contains("not the encoding")) { // which is known too late in a stream
            assertThat(whole).isEqualTo(inMemory(type, body));
        }
        assertThat(inParts(type, body, List.of(1))).isEqualTo(whole);
        Random random = new Random(SEED);
        for (int round = 0; round < 20; round++) {
            List<Integer> parts =
                    random.ints(50, 0, 1 + random.nextInt(40_000)).boxed().toList();
            assertThat(inParts(type, body, parts))
                    .as("seed %s, parts %s", SEED, parts)
                    .isEqualTo(whole);
        }
    }

    private static String inMemory(byte type, byte[] body) {
        try {
            return describe(CoreParsers.read(type, ByteBuffer.wrap(body)));
        } catch (MessageRejectedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Gives the parser parts of these lengths, one after the other and again from the first. */
    private static String inParts(byte type, byte[] body, List<Integer> lengths) {
        Collected collected = new Collected();
        try (BodyStage parser = CoreParsers.forStream(type, true, collected)) {
            giveInParts(parser, body, lengths);
            return describe(collected.content());
        } catch (MessageRejectedException e) {
            return String.valueOf(e.getMessage());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void giveInParts(BodyStage stage, byte[] body, List<Integer> lengths) throws Exception {
        int position = 0;
        for (int i = 0; position < body.length; i++) {
            int length = Math.min(lengths.get(i % lengths.size()), body.length - position);
            byte[] around = new byte[length + 5];
            System.arraycopy(body, position, around, 3, length);
            stage.add(around, 3, length);
            Arrays.fill(around, (byte) 0x55); // the stage must not keep the array
            position += length;
        }
        stage.finish();
    }

    private static String describe(BodyContent content) {
        return content.body() + " " + Arrays.hashCode(content.payload()) + " of " + content.payload().length;
    }

    @Test
    void text_isPassedOnAsUtf8() throws Exception {
        BodyContent content = CoreParsers.read(Message.TEXT_TYPE, ByteBuffer.wrap(text(LONG_TEXT)));

        assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_TEXT);
        assertThat(new String(content.payload(), StandardCharsets.UTF_8)).isEqualTo(LONG_TEXT);
    }

    @Test
    void textWithHalfAPair_isUtf16InMemory_andRejectedInAStream() throws Exception {
        String text = LONG_TEXT + "\ud83d" + LONG_TEXT;

        BodyContent content = CoreParsers.read(Message.TEXT_TYPE, ByteBuffer.wrap(text(text)));

        assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_TEXT_UTF16);
        ByteBuffer utf16 = ByteBuffer.allocate(2 * text.length());
        utf16.asCharBuffer().put(text);
        assertThat(content.payload()).isEqualTo(utf16.array());
        assertThat(inParts(Message.TEXT_TYPE, text(text), List.of(1000))).contains("lone surrogate");
    }

    @Test
    void textThatEndsWithHalfAPair_isUtf16InMemory() throws Exception {
        BodyContent content = CoreParsers.read(Message.TEXT_TYPE, ByteBuffer.wrap(text("a\ud83d")));

        assertThat(content.payload()).containsExactly(0, 'a', 0xd8, 0x3d);
    }

    @Test
    void object_isPassedOnWithoutItsLength() throws Exception {
        BodyContent content = CoreParsers.read(Message.OBJECT_TYPE, ByteBuffer.wrap(object(new byte[] {1, 2, 3})));

        assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_OBJECT);
        assertThat(content.payload()).containsExactly(1, 2, 3);
    }

    static Stream<Arguments> bodiesOfOtherEncodings() {
        List<Arguments> bodies = new ArrayList<>();
        for (int length : new int[] {1, 5, 100, 200_000}) {
            String text = "h\u00e9".repeat(length);
            for (Consumer<ActiveMQBuffer> way : List.<Consumer<ActiveMQBuffer>>of(
                    buffer -> buffer.writeString(text),
                    buffer -> buffer.writeNullableString(text),
                    buffer -> buffer.writeSimpleString(SimpleString.of(text)),
                    buffer -> {
                        buffer.writeNullableSimpleString(SimpleString.of(text));
                        buffer.writeInt(52);
                    },
                    buffer -> buffer.writeBytes(text.getBytes(StandardCharsets.UTF_8)))) {
                ActiveMQBuffer buffer = ActiveMQBuffers.dynamicBuffer(16);
                way.accept(buffer);
                byte[] body = new byte[buffer.readableBytes()];
                buffer.readBytes(body);
                bodies.add(Arguments.of(Message.TEXT_TYPE, body));
                if (body.length < 4 || ByteBuffer.wrap(body).getInt() != body.length - 4) { // else it is an object's
                    bodies.add(Arguments.of(Message.OBJECT_TYPE, body));
                }
            }
        }
        return bodies.stream();
    }

    /** All that the Core API writes for a text is carried. */
    @ParameterizedTest
    @MethodSource("bodiesOfOtherEncodings")
    void bodyOfAnotherEncoding_isPassedOnAsItIs_alsoInAStream(byte type, byte[] body) throws Exception {
        BodyContent content = CoreParsers.read(type, ByteBuffer.wrap(body));
        assertThat(content.body().kind()).isIn(BodyKind.JMS_TEXT_CORE, BodyKind.JMS_OBJECT_CORE);
        assertThat(content.payload()).isEqualTo(body);
        Collected collected = new Collected();
        try (BodyStage parser = CoreParsers.forStream(type, false, collected)) {
            giveInParts(parser, body, List.of(102_400));
        }
        assertThat(describe(collected.content())).isEqualTo(describe(content));
    }

    @Test
    void deflatedBody_inPartsOfAnyLength_isInflatedAsFromMemory() throws Exception {
        byte[] body = LONG_TEXT.getBytes(StandardCharsets.UTF_8);
        byte[] deflated = Producers.deflated(body);

        assertThat(InflatingStage.inflate(deflated, body.length)).isEqualTo(body);
        for (int part : new int[] {1, 7, 1000, deflated.length}) {
            Collected whole = new Collected();
            giveInParts(new InflatingStage(WaitingBytes.Space.UNLIMITED, whole), deflated, List.of(part));
            assertThat(whole.payload.toByteArray()).isEqualTo(body);
        }
    }

    @Test
    void deflatedBody_beyondTheLimit_isRejected() throws IOException {
        byte[] deflated = Producers.deflated(new byte[1 << 20]);

        assertThatThrownBy(() -> InflatingStage.inflate(deflated, (1 << 20) - 1))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("more than 1048575 bytes once decompressed");
    }

    @Test
    void deflatedBody_cutOrContinued_isRejectedInMemoryAndInAStream() throws IOException {
        byte[] deflated = Producers.deflated(new byte[1000]);
        for (byte[] body : List.of(
                Arrays.copyOf(deflated, deflated.length - 1),
                Arrays.copyOf(deflated, deflated.length + 1),
                new byte[] {1, 2, 3})) {
            assertThatThrownBy(() -> InflatingStage.inflate(body, 2000)).hasMessageContaining("cannot be decompressed");
            assertThatThrownBy(() -> giveInParts(
                            new InflatingStage(WaitingBytes.Space.UNLIMITED, BodyStage.discarding()), body, List.of(1)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("cannot be decompressed");
        }
    }
}
