/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Symbol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.BodyKind;

/** Each limit of a body: a body at the limit is read, and one beyond it is rejected. */
final class BodyLimitsTest {
    private static final byte[] AMQP_VALUE = {0x00, 0x53, 0x77};

    private record Limit(String name, BodyKind kind, int most, IntFunction<byte[]> payload) {
        @Override
        public String toString() {
            return name + " " + most;
        }
    }

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit("items of a stream", BodyKind.JMS_STREAM, BodyLimits.VALUES, BodyLimitsTest::stream),
                new Limit("entries of a map", BodyKind.JMS_MAP, BodyLimits.VALUES, BodyLimitsTest::map),
                // a section is a value with a description, and holds a list
                new Limit("values of AMQP", BodyKind.AMQP_SECTIONS, BodyLimits.VALUES - 2, BodyLimitsTest::list),
                new Limit(
                        "lists of AMQP",
                        BodyKind.AMQP_SECTIONS,
                        BodyLimits.CONTAINERS - 2,
                        BodyLimitsTest::listOfLists),
                new Limit("depth of AMQP", BodyKind.AMQP_SECTIONS, BodyLimits.DEPTH, BodyLimitsTest::nested),
                new Limit("descriptions", BodyKind.AMQP_SECTIONS, BodyLimits.DEPTH - 2, BodyLimitsTest::described),
                new Limit("keys", BodyKind.AMQP_SECTIONS, BodyLimits.OTHER_KEYS, BodyLimitsTest::keys));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void atTheLimit_isRead_beyondIt_isRejected(Limit limit) {
        byte[] most = limit.payload().apply(limit.most());
        byte[] beyond = limit.payload().apply(limit.most() + 1);

        assertThatCode(() -> BodyDecoder.decode(limit.kind(), most, Map.of(), ClientProtocol.AMQP))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> BodyDecoder.decode(limit.kind(), beyond, Map.of(), ClientProtocol.AMQP))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("more than");
    }

    private static byte[] stream(int items) {
        byte[] stream = new byte[2 * items];
        for (int i = 0; i < stream.length; i += 2) {
            stream[i] = CoreBuffer.BOOLEAN;
        }
        return stream;
    }

    private static byte[] map(int entries) {
        ByteBuffer map =
                ByteBuffer.allocate(5 + 13 * entries).put(CoreBuffer.NOT_NULL).putInt(entries);
        for (int i = 0; i < entries; i++) {
            map.putInt(8).putInt(i).putInt(0x41).put(CoreBuffer.NULL);
        }
        return map.array();
    }

    private static byte[] list(int items) {
        return list(items, 0x40);
    }

    private static byte[] listOfLists(int items) {
        return list(items, 0x45);
    }

    private static byte[] list(int items, int item) {
        ByteBuffer list = ByteBuffer.allocate(AMQP_VALUE.length + 9 + items);
        list.put(AMQP_VALUE).put((byte) 0xd0).putInt(4 + items).putInt(items);
        while (list.hasRemaining()) {
            list.put((byte) item);
        }
        return list.array();
    }

    /** This number of lists inside each other, the last one empty. */
    private static byte[] nested(int depth) {
        byte[] inner = {0x45};
        for (int i = 1; i < depth; i++) {
            inner = ByteBuffer.allocate(inner.length + 9)
                    .put((byte) 0xd0)
                    .putInt(4 + inner.length)
                    .putInt(1)
                    .put(inner)
                    .array();
        }
        return concat(AMQP_VALUE, inner);
    }

    /** A value with this number of descriptors. */
    private static byte[] described(int times) {
        ByteArrayOutputStream described = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            described.writeBytes(new byte[] {0x00, 0x53, 0x01});
        }
        described.write(0x40);
        return listOf(described.toByteArray());
    }

    private static byte[] listOf(byte[] item) {
        byte[] head = ByteBuffer.allocate(AMQP_VALUE.length + 9)
                .put(AMQP_VALUE)
                .put((byte) 0xd0)
                .putInt(4 + item.length)
                .putInt(1)
                .array();
        return concat(head, item);
    }

    private static byte[] keys(int count) {
        ByteBuffer map = ByteBuffer.allocate(AMQP_VALUE.length + 9 + 7 * count);
        map.put(AMQP_VALUE).put((byte) 0xd1).putInt(4 + 7 * count).putInt(2 * count);
        for (int i = 0; i < count; i++) {
            map.put((byte) 0xa0).put((byte) 4).putInt(i).put((byte) 0x40);
        }
        return map.array();
    }

    private static byte[] concat(byte[] one, byte[] other) {
        return ByteBuffer.allocate(one.length + other.length)
                .put(one)
                .put(other)
                .array();
    }

    /** The AMQP library keeps each symbol for ever: those beyond a number become strings. */
    @Test
    void manySymbols_areReadAsStrings() {
        byte[] known = symbol("known");
        assertThat(value(known)).isInstanceOf(Symbol.class);

        for (int i = 0; i < BodyLimits.SYMBOLS; i++) {
            BodyDecoder.decode(BodyKind.AMQP_SECTIONS, symbol("s" + i), Map.of(), ClientProtocol.AMQP);
        }

        assertThat(value(symbol("one-more"))).isEqualTo("one-more");
        assertThat(value(symbol("x".repeat(BodyLimits.SYMBOL + 1)))).isEqualTo("x".repeat(BodyLimits.SYMBOL + 1));
        assertThat(value(known)).isInstanceOf(Symbol.class);
    }

    private static Object value(byte[] payload) {
        Body body = BodyDecoder.decode(BodyKind.AMQP_SECTIONS, payload, Map.of(), ClientProtocol.AMQP)
                .body();
        return Objects.requireNonNull(((List<?>) ((Body.Typed) body).value()).get(0));
    }

    private static byte[] symbol(String name) {
        byte[] ascii = name.getBytes(US_ASCII);
        return listOf(ByteBuffer.allocate(2 + ascii.length)
                .put((byte) 0xa3)
                .put((byte) ascii.length)
                .put(ascii)
                .array());
    }

    @Test
    void arrayOfElementsWithoutLength_isRejected() {
        byte[] array = ByteBuffer.allocate(12)
                .put(AMQP_VALUE)
                .put((byte) 0xf0)
                .putInt(5 - 1)
                .putInt(1 << 20)
                .array();
        for (byte[] payload : List.of(array, concat(array, new byte[] {0x41}))) {
            assertThatThrownBy(() -> BodyDecoder.decode(BodyKind.AMQP_SECTIONS, payload, Map.of(), ClientProtocol.AMQP))
                    .isInstanceOf(MalformedEnvelopeException.class);
        }
    }
}
